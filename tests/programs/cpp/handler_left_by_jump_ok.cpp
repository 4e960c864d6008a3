// A jump out of a handler ends it: what is called afterwards is called outside of it, however deep.
// STDOUT: done 3
#include <csetjmp>
#include <csignal>
#include <cstdio>
#include <unistd.h>

static sigjmp_buf back;
static int *volatile kept;
static volatile int jumps;

[[gnu::noinline]] static void work(int depth) {
    volatile char room[64];
    room[0] = 1;
    if (depth) return work(depth - 1);
    delete kept;
    kept = new int(room[0]);
}

static void on_signal(int) { siglongjmp(back, 1); }

[[gnu::noinline]] static void deep(int depth, int number) {
    volatile char room[64];
    room[0] = 1;
    if (depth) deep(depth - 1, number);
    else if (number == SIGALRM) pause();
    else std::raise(number);
    room[1] = 1;
}

int main() {
    std::signal(SIGFPE, on_signal);
    std::signal(SIGALRM, on_signal);
    if (sigsetjmp(back, 1) == 0) std::raise(SIGFPE);
    else jumps = jumps + 1;
    work(5);
    if (sigsetjmp(back, 1) == 0) deep(4, SIGFPE);
    else jumps = jumps + 1;
    work(5);
    alarm(1);
    if (sigsetjmp(back, 1) == 0) deep(4, SIGALRM);
    else jumps = jumps + 1;
    work(5);
    delete kept;
    std::printf("done %d\n", jumps);
}
