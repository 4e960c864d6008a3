// A jump out of a handler, or an exception, ends it; one that still runs is told of all the same.
#include <csetjmp>
#include <csignal>
#include <cstdio>

static sigjmp_buf back;
static int *volatile kept;

[[gnu::noinline]] static void work(int depth) {
    volatile char room[64];
    room[0] = 1;
    if (depth) return work(depth - 1);
    delete kept;
    kept = new int(room[0]); // EXPECT: signal-unsafe call inside of a signal
}

static void on_fpe(int) { siglongjmp(back, 1); }

static void on_usr1(int) {
    if (sigsetjmp(back, 1) == 0) std::raise(SIGFPE);
    if (kept == nullptr) work(2);
}

int main() {
    std::signal(SIGFPE, on_fpe);
    std::signal(SIGUSR1, on_usr1);
    if (sigsetjmp(back, 1) == 0) std::raise(SIGFPE);
    std::raise(SIGUSR1);
    delete kept;
    std::puts("done");
}
