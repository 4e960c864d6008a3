// Two threads that add to one counter, by a virtual function; compiled by clangs of several years.
#include <pthread.h>
#include <stdio.h>

struct adder {
    virtual void add(int *counter) = 0;
    virtual ~adder() = default;
};
struct by_one : adder {
    void add(int *counter) override { *counter += 1; }
};

static int counter;
static by_one one;
static adder *chosen = &one;

extern "C" void *worker(void *) {
    for (int at = 0; at < 10; at++) chosen->add(&counter);
    return nullptr;
}

int main() {
    pthread_t thread;
    pthread_create(&thread, nullptr, worker, nullptr);
    worker(nullptr);
    pthread_join(thread, nullptr);
    printf("done\n");
}
