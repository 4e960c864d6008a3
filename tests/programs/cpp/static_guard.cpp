// The guard of a function-local static protects its construction, not what is done with it later.
#include <iostream>
#include <thread>

struct Cache {
    volatile int last = 0;
    Cache() { last = 1; }
};

static Cache &cache() {
    static Cache instance;
    return instance;
}

static void work(int value) {
    cache().last = value; // EXPECT: data race write 4
}

int main() {
    std::thread first(work, 2), second(work, 3);
    first.join();
    second.join();
    std::cout << (cache().last > 1) << '\n';
    return 0;
}
