// Two threads print into one stream.
#include <cstdio>
#include <mutex>
#include <sstream>
#include <thread>

static std::mutex guard;
static std::ostringstream out;

static void print(int number) {
#ifdef FIXED
    std::lock_guard hold(guard);
#endif
    out << number; // EXPECT: data race
}

int main() {
    std::thread a(print, 12345), b(print, 67890);
    a.join();
    b.join();
    std::printf("%zu\n", out.str().size());
}
