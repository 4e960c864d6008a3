// Containers that grow and shrink in several threads: their memory is freed and used anew.
// SANITIZE: thread
// STDOUT: 4 4950
#include <iostream>
#include <map>
#include <memory>
#include <mutex>
#include <string>
#include <thread>
#include <vector>

static std::mutex lock;
static std::map<int, std::shared_ptr<std::string>> names;

static void work(int first) {
    for (int i = first; i < 100; i += 2) {
        std::lock_guard<std::mutex> guard(lock);
        names[i] = std::make_shared<std::string>(static_cast<std::size_t>(i), 'x');
        if (i >= 4) names.erase(i - 4);
    }
}

int main() {
    std::thread other(work, 1);
    work(0);
    other.join();
    std::vector<int> numbers;
    long sum = 0;
    for (int i = 0; i < 100; i++) numbers.push_back(i);
    for (int n : numbers) sum += n;
    std::cout << names.size() << ' ' << sum << '\n';
}
