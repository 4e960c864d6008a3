// A coroutine keeps a reference to a temporary that ends before it goes on.
#include <coroutine>
#include <iostream>
#include <string>

struct Task {
    struct promise_type {
        Task get_return_object() { return {std::coroutine_handle<promise_type>::from_promise(*this)}; }
        std::suspend_always initial_suspend() { return {}; }
        std::suspend_always final_suspend() noexcept { return {}; }
        void return_void() {}
        void unhandled_exception() {}
    };
    std::coroutine_handle<promise_type> handle;
    ~Task() { handle.destroy(); }
};

#ifdef FIXED
static Task greet(std::string name) {
#else
static Task greet(const std::string &name) {
#endif
    std::cout << "hello " << name << '\n'; // EXPECT: heap-use-after-free|stack-use-after-scope
    co_return;
}

int main() {
    Task task = greet(std::string("somebody with a name that takes its place on the heap"));
    task.handle.resume();
}
