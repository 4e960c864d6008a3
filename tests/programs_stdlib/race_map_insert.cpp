// One thread fills a map that another one searches.
#include <cstdio>
#include <map>
#include <mutex>
#include <thread>

static std::mutex guard;
static std::map<int, int> table{{1, 1}};

int main() {
    std::thread filler([] {
#ifdef FIXED
        std::lock_guard hold(guard);
#endif
        table.emplace(2, 4); // PREVIOUS
    });
    std::size_t found = 0;
    {
#ifdef FIXED
        std::lock_guard hold(guard);
#endif
        found = table.count(2); // EXPECT: data race
    }
    filler.join();
    std::printf("%d\n", int(found) - 2);
}
