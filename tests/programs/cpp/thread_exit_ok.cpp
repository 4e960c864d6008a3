// pthread_exit and cancellation destroy the objects of the frames that they leave.
// STDOUT: ~inner
// STDOUT: ~outer
// STDOUT: 3
// STDOUT: ~sleeper
// STDOUT: cancelled
// STDOUT: ~within
// STDOUT: cleanup
// STDOUT: ~pushes
// STDOUT: cancelled
// STDOUT: ~thread
// STDOUT: ~main
#include <cstdio>
#include <pthread.h>
#include <thread>
#include <unistd.h>

struct Noisy {
    const char *name;
    explicit Noisy(const char *given) : name(given) {}
    ~Noisy() { std::printf("~%s\n", name); }
};

static void leave() {
    Noisy inner("inner");
    pthread_exit(reinterpret_cast<void *>(3));
}

static void *leaves(void *) {
    Noisy outer("outer");
    try {
        leave();
    } catch (int) {
        std::puts("wrong");
    }
    return nullptr;
}

static void *sleeps(void *) {
    Noisy sleeper("sleeper");
    for (;;) usleep(1000);
}

static void clean_up(void *) { std::puts("cleanup"); }

static void *pushes(void *) {
    Noisy outer("pushes");
    pthread_cleanup_push(clean_up, nullptr);
    Noisy within("within");
    for (;;) usleep(1000);
    pthread_cleanup_pop(0);
}

static void cancel_one(void *(*routine)(void *)) {
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, routine, nullptr);
    usleep(5000);
    pthread_cancel(thread);
    pthread_join(thread, &result);
    std::puts(result == PTHREAD_CANCELED ? "cancelled" : "ended");
}

int main() {
    pthread_t thread;
    void *result;
    pthread_create(&thread, nullptr, leaves, nullptr);
    pthread_join(thread, &result);
    std::printf("%ld\n", reinterpret_cast<long>(result));
    cancel_one(sleeps);
    cancel_one(pushes);
    std::thread([] {
        Noisy own("thread");
        pthread_exit(nullptr);
    }).join();
    Noisy last("main");
    pthread_exit(nullptr);
}
