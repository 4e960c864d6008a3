// The handler only counts in an atomic; the thread builds strings around it.
// STDOUT: 3 signals
#include <atomic>
#include <csignal>
#include <cstdio>
#include <pthread.h>
#include <string>
static std::atomic<int> n_handled;

static void on_signal(int) { n_handled.fetch_add(1, std::memory_order_relaxed); }

static void *work(void *unused) {
    std::string text;
    while (n_handled < 3) {
        text += "some text that is too long to be kept inside of the string itself";
        if (text.size() > 1000) std::string().swap(text);
    }
    return unused;
}

int main() {
    pthread_t thread;
    std::signal(SIGUSR1, on_signal);
    pthread_create(&thread, nullptr, work, nullptr);
    for (int i = 0; i < 3; i++) {
        pthread_kill(thread, SIGUSR1);
        while (n_handled <= i) {
        }
    }
    pthread_join(thread, nullptr);
    std::printf("%d signals\n", n_handled.load());
    return 0;
}
