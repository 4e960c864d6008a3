// std::promise, std::future and std::packaged_task carry values and exceptions across threads.
// STDOUT: 42 sum 45 caught: broken
#include <future>
#include <iostream>
#include <stdexcept>
#include <thread>

int main() {
    std::promise<int> promise;
    std::future<int> answer = promise.get_future();
    std::thread setter([&promise] { promise.set_value(42); });
    std::cout << answer.get();
    setter.join();

    std::packaged_task<int(int)> task([](int last) {
        int sum = 0;
        for (int i = 0; i <= last; i++) sum += i;
        return sum;
    });
    std::future<int> sum = task.get_future();
    std::thread runner(std::move(task), 9);
    std::cout << " sum " << sum.get();
    runner.join();

    std::promise<void> failing;
    std::thread thrower([&failing] {
        failing.set_exception(std::make_exception_ptr(std::runtime_error("broken")));
    });
    try {
        failing.get_future().get();
    } catch (const std::runtime_error &error) {
        std::cout << " caught: " << error.what() << '\n';
    }
    thrower.join();
    return 0;
}
