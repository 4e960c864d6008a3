// Who reads the table before it has asked the once_flag is not ordered behind its function.
#include <mutex>
#include <thread>

static std::once_flag once;
int table;

static void user() {
    volatile int early = table; // EXPECT: data race read 4
    (void)early;
    std::call_once(once, [] { table = 42; }); // PREVIOUS: write 4
}

int main() {
    std::thread first(user), second(user);
    first.join();
    second.join();
    return 0;
}
