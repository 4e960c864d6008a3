// One thread replaces a shared pointer that another copies: it fails in many places of the library,
// but it is one bug of two lines, and one finding.
// SEEDS: some a schedule may run one thread to its end first
#include <memory>
#include <thread>

struct Settings {
    int level = 1;
};
static std::shared_ptr<Settings> settings = std::make_shared<Settings>();
static volatile int sum;

static void use() {
    int i = 30;
    while (i--) { auto s = settings; sum = s->level; } // EXPECT: data race|heap-use-after-free
}

static void replace() {
    for (int i = 0; i < 30; i++) settings = std::make_shared<Settings>(); // PREVIOUS:
}

int main() {
    std::thread user(use), writer(replace);
    user.join();
    writer.join();
}
