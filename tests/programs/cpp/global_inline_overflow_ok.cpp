// STDOUT: 3 4 9
// Inline variables, statics of templates and virtual tables up to their last bytes.
#include <cstdio>

inline int table[7] = {1, 2, 3};
template <class T> struct Holder {
    static T values[2];
};
template <class T> T Holder<T>::values[2] = {T(), T(4)};
struct Base {
    virtual ~Base() = default;
    virtual int answer() { return 1; }
};
struct Derived : Base {
    int answer() override { return 9; }
};
volatile int last = 2;

int main() {
    Derived derived;
    Base *base = &derived;
    std::printf("%d %d %d\n", table[last], Holder<int>::values[last - 1],
                dynamic_cast<Derived *>(base)->answer());
    return 0;
}
