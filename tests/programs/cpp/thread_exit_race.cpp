// A destructor that pthread_exit runs counts without the lock that the other thread takes.
#include <cstdio>
#include <mutex>
#include <pthread.h>

static std::mutex guard;
static long finished;

struct Counted {
    ~Counted() { finished = finished + 1; } // PREVIOUS: write 8
};

static void *works(void *) {
    Counted counted;
    pthread_exit(nullptr);
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, works, nullptr); // THREAD-CREATED
    {
        std::lock_guard<std::mutex> held(guard);
        finished = finished + 1; // EXPECT: data race write 8
    }
    pthread_join(thread, nullptr);
    std::printf("%d\n", finished > 0);
    return 0;
}
