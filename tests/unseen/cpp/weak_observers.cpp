// Observers are held weakly and used from several threads while they go away.
#include <atomic>
#include <cassert>
#include <iostream>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

struct Observer : std::enable_shared_from_this<Observer> {
    explicit Observer(std::string n) : name(std::move(n)) { ++live; }
    ~Observer() { --live; }
    void notify(int value) { sum.fetch_add(value, std::memory_order_relaxed); }
    std::string name;
    std::atomic<long> sum{0};
    static inline std::atomic<int> live{0};
};

class Subject {
  public:
    void attach(const std::shared_ptr<Observer> &observer) {
        std::lock_guard lock(mutex_);
        observers_.push_back(observer);
    }
    int fire(int value) {
        std::vector<std::weak_ptr<Observer>> copy;
        {
            std::lock_guard lock(mutex_);
            copy = observers_;
        }
        int reached = 0;
        for (auto &weak : copy)
            if (auto strong = weak.lock()) strong->notify(value), reached++;
        return reached;
    }

  private:
    std::mutex mutex_;
    std::vector<std::weak_ptr<Observer>> observers_;
};

int main() {
    Subject subject;
    auto keeper = std::make_shared<Observer>("the one that stays, with a long name");
    subject.attach(keeper);
    std::vector<std::thread> threads;
    std::atomic<int> reached{0};
    for (int t = 0; t < 3; t++)
        threads.emplace_back([&, t] {
            auto own = std::make_shared<Observer>("short lived " + std::to_string(t));
            subject.attach(own);
            auto again = own->shared_from_this();
            own.reset();
            for (int i = 0; i < 10; i++) reached += subject.fire(1) > 0;
        });
    for (auto &thread : threads) thread.join();
    assert(Observer::live == 1 && keeper->sum == 30);
    std::cout << keeper.use_count() << ' ' << reached << ' ' << subject.fire(5) << ' ' << keeper->sum << '\n';

    // Each thread drops a weak pointer to one control block; the last one frees it.
    auto strong = std::make_shared<std::vector<int>>(100, 3);
    std::vector<std::thread> droppers;
    for (int t = 0; t < 4; t++)
        droppers.emplace_back([weak = std::weak_ptr<std::vector<int>>(strong), &reached] {
            if (auto use = weak.lock()) reached += use->at(7);
        });
    strong.reset();
    for (auto &thread : droppers) thread.join();
    std::weak_ptr<Observer> gone;
    {
        auto temporary = std::make_shared<Observer>("temporary");
        gone = temporary;
    }
    std::cout << gone.expired() << (gone.lock() == nullptr) << '\n';
    try {
        std::shared_ptr<Observer> broken(gone);
        return 1;
    } catch (const std::bad_weak_ptr &) {
        std::cout << "gone\n";
    }
}
