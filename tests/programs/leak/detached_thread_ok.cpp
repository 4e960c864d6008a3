// Threads of the C++ library that nobody has waited for own their state.
// EXIT: 0
#include <cstdlib>
#include <mutex>
#include <string>
#include <thread>

static std::mutex lock;

int main() {
    static std::unique_lock<std::mutex> held(lock);
    std::string text = "a text that is too long for its own object";
    std::thread([text] { std::lock_guard<std::mutex> guard(lock); }).detach();
    static std::thread waiting([copy = text] { std::lock_guard<std::mutex> guard(lock); });
    waiting.detach();
    std::exit(0);
}
