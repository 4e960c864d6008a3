// One thread copies a shared pointer that another one replaces.
// FLAGS: TSAN_OPTIONS=halt_on_error=1
#include <memory>
#include <mutex>
#include <thread>

struct Conf {
    int a = 1;
};
static std::mutex guard;
static std::shared_ptr<Conf> current = std::make_shared<Conf>();

static void reader() {
    for (int i = 0; i < 20; ++i) {
#ifdef FIXED
        std::lock_guard hold(guard);
#endif
        std::shared_ptr<Conf> mine = current; // EXPECT: data race|heap-use-after-free
    }
}

static void writer() {
    for (int i = 0; i < 20; ++i) {
        auto next = std::make_shared<Conf>();
#ifdef FIXED
        std::lock_guard hold(guard);
#endif
        current = next; // PREVIOUS
    }
}

int main() {
    std::thread a(reader), b(writer);
    a.join();
    b.join();
}
