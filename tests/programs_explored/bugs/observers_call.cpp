// Two models that observe each other tell of a change while they hold their own lock.
// KIND: deadlock
// FAILS: deadlock
// WHEN: a thread is preempted between its model's lock and the call, and the other one locks its own
// PREEMPTIONS: 1
#include <mutex>
#include <thread>

class Model {
  public:
    void observed_by(Model *observer) { observer_ = observer; }

    void change(int value) {
        std::unique_lock<std::mutex> guard(lock_);
        value_ = value;
#ifdef FIXED
        guard.unlock();
#endif
        observer_->changed(value);
    }

    void changed(int value) {
        std::lock_guard<std::mutex> guard(lock_);
        seen_ += value;
    }

    int seen() const { return seen_; }

  private:
    std::mutex lock_;
    Model *observer_ = nullptr;
    int value_ = 0;
    int seen_ = 0;
};

int main() {
    Model first, second;
    first.observed_by(&second);
    second.observed_by(&first);
    std::thread one([&] { first.change(1); });
    std::thread other([&] { second.change(2); });
    one.join();
    other.join();
    return first.seen() + second.seen() != 3;
}
