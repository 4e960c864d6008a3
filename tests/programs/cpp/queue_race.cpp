// A queue class whose size() forgets the mutex.
#include <iostream>
#include <mutex>
#include <thread>

class Queue {
public:
    void push(int item) {
        std::lock_guard<std::mutex> held(lock_);
        items_[count_ & 7] = item;
        count_ = count_ + 1; // PREVIOUS: write 4
    }
    int size() const {
        return count_; // EXPECT: data race read 4
    }

private:
    mutable std::mutex lock_;
    int items_[8] = {};
    volatile int count_ = 0;
};

int main() {
    Queue queue;
    std::thread worker([&queue] { queue.push(1); });
    int size = queue.size();
    worker.join();
    std::cout << (size >= 0) << '\n';
    return 0;
}
