// A global's destructor frees its text while a detached thread still uses it.
// NATIVE: miss the process has ended before the thread comes back
#include <chrono>
#include <cstring>
#include <thread>

struct Log {
    char *text = new char[16]();
    ~Log() { delete[] text; } // FREED
};
static Log log_of_all;

static void write_late() {
    std::this_thread::sleep_for(std::chrono::milliseconds(5));
    log_of_all.text[0] = 'a'; // EXPECT: heap-use-after-free write 1
}

int main() {
    std::thread(write_late).detach();
    return 0;
}
