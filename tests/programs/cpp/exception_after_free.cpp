// An exception skips the code that would have kept a pointer alive; the handler uses it.
#include <iostream>
#include <memory>
#include <stdexcept>

struct Request {
    volatile int id = 9;
};

static Request *volatile last;

static void handle(bool fails) {
    auto request = std::make_unique<Request>();
    last = request.get();
    if (fails) throw std::runtime_error("handler failed");
}

int main(int argc, char **) {
    try {
        handle(argc > 0);
    } catch (const std::exception &error) {
        int id = last->id; // EXPECT: heap-use-after-free read 4
        std::cout << error.what() << ' ' << id << '\n';
    }
    return 0;
}
