// Two threads append to one string.
#include <cstdio>
#include <mutex>
#include <string>
#include <thread>

static std::mutex guard;
static std::string log_text;

static void say(const char *words) {
#ifdef FIXED
    std::lock_guard hold(guard);
#endif
    log_text.append(words); // EXPECT: data race
}

int main() {
    std::thread a(say, "one"), b(say, "two");
    a.join();
    b.join();
    std::printf("%zu\n", log_text.size());
}
