// The twin of atomic_publication: released, acquired, and handed back through exchange.
// STDOUT: 42 43
#include <atomic>
#include <iostream>
#include <thread>

struct Message {
    int number;
};

static std::atomic<Message *> there{nullptr}, back{nullptr};

static Message *take(std::atomic<Message *> &slot) {
    Message *message = nullptr;
    while (!(message = slot.exchange(nullptr, std::memory_order_acquire))) {
        std::this_thread::yield();
    }
    return message;
}

int main() {
    std::thread echo([] {
        Message *message = take(there);
        message->number += 1;
        back.store(message, std::memory_order_release);
    });
    Message *message = new Message{42};
    std::cout << message->number << ' ';
    there.store(message, std::memory_order_release);
    message = take(back);
    std::cout << message->number << '\n';
    delete message;
    echo.join();
    return 0;
}
