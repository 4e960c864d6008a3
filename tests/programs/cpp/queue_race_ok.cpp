// The twin of queue_race: a blocking queue on std::condition_variable, with two consumers.
// STDOUT: 210
#include <condition_variable>
#include <deque>
#include <iostream>
#include <mutex>
#include <thread>

class Queue {
public:
    void push(int item) {
        {
            std::lock_guard<std::mutex> held(lock_);
            items_.push_back(item);
        }
        not_empty_.notify_one();
    }
    int pop() {
        std::unique_lock<std::mutex> held(lock_);
        not_empty_.wait(held, [this] { return !items_.empty(); });
        int item = items_.front();
        items_.pop_front();
        return item;
    }

private:
    std::mutex lock_;
    std::condition_variable not_empty_;
    std::deque<int> items_;
};

int main() {
    Queue queue;
    int sums[2] = {0, 0};
    auto consume = [&queue](int *sum) {
        for (int item = queue.pop(); item != 0; item = queue.pop()) *sum += item;
    };
    std::thread first(consume, &sums[0]), second(consume, &sums[1]);
    for (int item = 1; item <= 20; item++) queue.push(item);
    queue.push(0);
    queue.push(0);
    first.join();
    second.join();
    std::cout << sums[0] + sums[1] << '\n';
    return 0;
}
