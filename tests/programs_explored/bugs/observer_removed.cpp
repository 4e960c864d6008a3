// The list of observers is copied under its lock and called without: one of them has been removed
// and deleted since.
// KIND: use after free by race
// FAILS: heap-use-after-free
// WHEN: the notifier is preempted between the copy and the call, and the owner removes its observer
// PREEMPTIONS: 1
// RACES: the call is not locked
#include <algorithm>
#include <atomic>
#include <memory>
#include <mutex>
#include <thread>
#include <vector>

namespace {

class Observer {
  public:
    void notify() { ++n_calls_; }

  private:
    std::atomic<int> n_calls_{0};
};

#ifdef FIXED
using Reference = std::shared_ptr<Observer>;
#else
using Reference = Observer *;
#endif

std::mutex lock;
std::vector<Reference> observers;

void notify_all() {
    std::vector<Reference> called;
    {
        std::lock_guard<std::mutex> guard(lock);
        called = observers;
    }
    for (const Reference &observer : called) observer->notify();
}

void remove_observer(Reference removed) {
    {
        std::lock_guard<std::mutex> guard(lock);
        observers.erase(std::find(observers.begin(), observers.end(), removed));
    }
#ifndef FIXED
    delete removed;
#endif
}

} // namespace

int main() {
    Reference observer(new Observer);
    observers.push_back(observer);
    std::thread notifier(notify_all);
    remove_observer(observer);
    notifier.join();
    return 0;
}
