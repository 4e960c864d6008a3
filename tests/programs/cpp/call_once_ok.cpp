// std::call_once, and the guard of a function-local static, in two threads.
// STDOUT: runs 1, constructions 1, values 7 7
#include <iostream>
#include <mutex>
#include <thread>

static std::once_flag once;
static int runs, constructions;

struct Registry {
    int value;
    Registry() : value(7) { constructions += 1; }
};

static Registry &registry() {
    static Registry instance;
    return instance;
}

static void work(int *value) {
    std::call_once(once, [] { runs += 1; });
    *value = registry().value;
}

int main() {
    int values[2];
    std::thread first(work, &values[0]), second(work, &values[1]);
    first.join();
    second.join();
    std::cout << "runs " << runs << ", constructions " << constructions << ", values "
              << values[0] << ' ' << values[1] << '\n';
    return 0;
}
