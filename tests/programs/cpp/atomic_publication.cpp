// A pointer is published with memory_order_relaxed: what it points to is not.
#include <atomic>
#include <iostream>
#include <thread>

struct Message {
    volatile int number;
};

static Message message;
static std::atomic<Message *> published{nullptr};

int main() {
    std::thread producer([] {
        message.number = 42; // PREVIOUS: write 4
        published.store(&message, std::memory_order_relaxed);
    });
    Message *seen = nullptr;
    while (!(seen = published.load(std::memory_order_acquire))) std::this_thread::yield();
    int number = seen->number; // EXPECT: data race read 4
    producer.join();
    std::cout << number << '\n';
    return 0;
}
