// thread_local objects with constructors and destructors, one per thread.
// STDOUT: 3 constructed, 2 destroyed
// STDOUT: lengths 41 42 40
#include <atomic>
#include <iostream>
#include <string>
#include <thread>

static std::atomic<int> constructed, destroyed;

struct Scratch {
    std::string text = std::string(40, 's');
    Scratch() { constructed++; }
    ~Scratch() { destroyed++; }
};

static thread_local Scratch scratch;

static void work(int extra, std::size_t *length) {
    for (int i = 0; i < extra; i++) scratch.text += 'x';
    *length = scratch.text.size();
}

int main() {
    std::size_t lengths[3];
    std::thread first(work, 1, &lengths[0]), second(work, 2, &lengths[1]);
    first.join();
    second.join();
    work(0, &lengths[2]);
    std::cout << constructed << " constructed, " << destroyed << " destroyed\n";
    std::cout << "lengths " << lengths[0] << ' ' << lengths[1] << ' ' << lengths[2] << '\n';
    return 0;
}
