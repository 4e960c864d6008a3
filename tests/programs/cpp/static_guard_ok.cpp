// The twin of static_guard: the static holds an atomic, and its constructor takes arguments.
// STDOUT: 1 105
#include <atomic>
#include <iostream>
#include <string>
#include <thread>

static std::atomic<int> constructions;

struct Cache {
    std::string name;
    std::atomic<int> last;
    Cache(const char *label, int start) : name(label), last(start) { constructions++; }
};

static Cache &cache(int start) {
    static Cache instance("a name too long for the small string buffer", start);
    return instance;
}

int main() {
    std::thread first([] { cache(100).last += 2; }), second([] { cache(100).last += 3; });
    first.join();
    second.join();
    std::cout << constructions << ' ' << cache(0).last << '\n';
    return 0;
}
