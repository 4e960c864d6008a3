// Cooperative fibers with ucontext: a scheduler, values handed over, stacks of their own.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <ucontext.h>

enum { FIBERS = 3, STACK = 128 * 1024 };

struct fiber {
    ucontext_t context;
    char *stack;
    int id, steps, done;
    long local_sum;
};
static struct fiber fibers[FIBERS];
static ucontext_t scheduler;
static char journal[256];

static void yield(struct fiber *self) { swapcontext(&self->context, &scheduler); }

static long deep(struct fiber *self, int depth) {
    char frame[200];
    memset(frame, depth, sizeof frame);
    if (depth == 0) {
        yield(self);
        return 0;
    }
    long below = deep(self, depth - 1);
    return below + frame[depth];
}

static void body(int index) {
    struct fiber *self = &fibers[index];
    for (int i = 0; i < self->steps; i++) {
        size_t used = strlen(journal);
        snprintf(journal + used, sizeof journal - used, "%c%d ", 'a' + index, i);
        self->local_sum += deep(self, 10 + index);
    }
    self->done = 1;
}

int main(void) {
    for (int i = 0; i < FIBERS; i++) {
        struct fiber *f = &fibers[i];
        f->id = i, f->steps = 2 + i;
        f->stack = i == 1 ? mmap(NULL, STACK, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0) : malloc(STACK);
        assert(f->stack && f->stack != MAP_FAILED && getcontext(&f->context) == 0);
        f->context.uc_stack.ss_sp = f->stack;
        f->context.uc_stack.ss_size = STACK;
        f->context.uc_link = &scheduler;
        makecontext(&f->context, (void (*)(void))body, 1, i);
    }
    int live = FIBERS, turns = 0;
    while (live) {
        for (int i = 0; i < FIBERS; i++) {
            if (fibers[i].done) continue;
            swapcontext(&scheduler, &fibers[i].context);
            turns++;
            live -= fibers[i].done;
        }
    }
    printf("%s\n%d turns, sums %ld %ld %ld\n", journal, turns, fibers[0].local_sum, fibers[1].local_sum, fibers[2].local_sum);
    free(fibers[0].stack), free(fibers[2].stack);
    munmap(fibers[1].stack, STACK);

    volatile int visits = 0;
    ucontext_t here;
    getcontext(&here);
    if (++visits < 3) setcontext(&here);
    printf("%d visits\n", visits);
    return 0;
}
