// Forked processes touch pages for the first time at once: each has its own stack for faults.
// STDOUT: 0 wrong
#include <stdio.h>
#include <sys/mman.h>
#include <sys/wait.h>
#include <unistd.h>
enum { CHILDREN = 8, TOUCHES = 400, STEP = 32 << 10 };

int main(void) {
    int protection = PROT_READ | PROT_WRITE, flags = MAP_SHARED | MAP_ANONYMOUS;
    char *shared = mmap(NULL, (size_t)TOUCHES * STEP, protection, flags, -1, 0);
    for (int i = 0; i < CHILDREN; i++)
        if (!fork()) {
            long sum = 0;
            for (int k = 0; k < TOUCHES; k++) {
                shared[k * STEP + i] = (char)i;
                sum += i * k;
            }
            _exit(sum == (long)i * TOUCHES * (TOUCHES - 1) / 2 ? 0 : 1);
        }
    int status, wrong = 0;
    while (wait(&status) > 0) wrong += status != 0;
    for (int k = 0; k < TOUCHES; k++)
        for (int i = 0; i < CHILDREN; i++) wrong += shared[k * STEP + i] != i;
    printf("%d wrong\n", wrong);
    return 0;
}
