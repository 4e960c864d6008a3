// A member function called from two threads; the race is two calls below the lambda.
#include <iostream>
#include <thread>

class Thermometer {
public:
    void heat(double by) { set(by); }
    double degrees() const { return degrees_; }

private:
    void __attribute__((noinline)) set(double value) {
        degrees_ = value; // EXPECT: data race write 8
    }
    volatile double degrees_ = 0;
};

int main() {
    Thermometer thermometer;
    std::thread first([&] { thermometer.heat(1); });
    std::thread second([&] { thermometer.heat(2); });
    first.join();
    second.join();
    std::cout << (thermometer.degrees() > 0) << '\n';
    return 0;
}
