// A callback is replaced while another thread calls it.
#include <cstdio>
#include <functional>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::function<int()> callback = [] { return 1; };

int main() {
    std::thread caller([] {
#ifdef FIXED
        std::lock_guard hold(guard);
#endif
        std::printf("%d\n", callback() > 0); // EXPECT: data race
    });
    {
#ifdef FIXED
        std::lock_guard hold(guard);
#endif
        callback = [] { return 2; }; // PREVIOUS
    }
    caller.join();
}
