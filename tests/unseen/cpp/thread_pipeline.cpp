// A pipeline of stages, each a thread, joined by closing channels.
#include <condition_variable>
#include <deque>
#include <functional>
#include <iostream>
#include <mutex>
#include <optional>
#include <string>
#include <thread>
#include <vector>

template <class T> class Channel {
  public:
    explicit Channel(size_t limit) : limit_(limit) {}
    void send(T value) {
        std::unique_lock lock(mutex_);
        room_.wait(lock, [this] { return items_.size() < limit_; });
        items_.push_back(std::move(value));
        ready_.notify_one();
    }
    std::optional<T> receive() {
        std::unique_lock lock(mutex_);
        ready_.wait(lock, [this] { return closed_ || !items_.empty(); });
        if (items_.empty()) return std::nullopt;
        T value = std::move(items_.front());
        items_.pop_front();
        room_.notify_one();
        return value;
    }
    void close() {
        std::lock_guard lock(mutex_);
        closed_ = true;
        ready_.notify_all();
    }

  private:
    std::mutex mutex_;
    std::condition_variable room_, ready_;
    std::deque<T> items_;
    size_t limit_;
    bool closed_ = false;
};

template <class In, class Out, class F> static std::thread stage(Channel<In> &in, Channel<Out> &out, F f) {
    return std::thread([&in, &out, f] {
        while (auto value = in.receive()) out.send(f(std::move(*value)));
        out.close();
    });
}

int main() {
    Channel<int> numbers(4);
    Channel<std::string> texts(2);
    Channel<std::pair<std::string, size_t>> measured(3);
    auto spell = stage(numbers, texts, [](int n) { return std::string(size_t(n % 40), char('a' + n % 26)) + std::to_string(n); });
    auto measure = stage(texts, measured, [](std::string text) {
        auto size = text.size();
        return std::pair(std::move(text), size);
    });
    std::thread source([&] {
        for (int i = 0; i < 50; i++) numbers.send(i * 3);
        numbers.close();
    });
    size_t total = 0, count = 0;
    std::string last;
    while (auto item = measured.receive()) {
        total += item->second;
        last = std::move(item->first);
        count++;
    }
    source.join(), spell.join(), measure.join();
    std::cout << count << ' ' << total << ' ' << last << '\n';
}
