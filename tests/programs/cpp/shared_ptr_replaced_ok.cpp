// The twin of shared_ptr_replaced: the pointer is read and replaced atomically.
// EXIT: 0
#include <memory>
#include <thread>

struct Settings {
    int level = 1;
};
static std::shared_ptr<Settings> settings = std::make_shared<Settings>();
static volatile int sum;

static void use() {
    for (int i = 0; i < 30; i++) sum = std::atomic_load(&settings)->level;
}

static void replace() {
    for (int i = 0; i < 30; i++) std::atomic_store(&settings, std::make_shared<Settings>());
}

int main() {
    std::thread user(use), writer(replace);
    user.join();
    writer.join();
}
