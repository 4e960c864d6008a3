// A handler builds a string: operator new and delete in the middle of what the thread does.
// NATIVE: false-alarm what the report itself does to errno is taken for the handler's doing there
#include <atomic>
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <string>
static std::atomic<bool> handled;

static void on_signal(int number) {
    std::string *volatile text =
        new std::string(1, char(number)); // EXPECT: signal-unsafe call inside of a signal
    delete text; // EXPECT: signal-unsafe call inside of a signal
    handled = true;
}

static void *work(void *unused) {
    while (!handled) {
    }
    return unused;
}

int main() {
    pthread_t thread;
    std::signal(SIGUSR1, on_signal);
    pthread_create(&thread, nullptr, work, nullptr);
    pthread_kill(thread, SIGUSR1);
    pthread_join(thread, nullptr);
    std::puts("done");
    return 0;
}
