// Tasks that one thread runs have their variables at the same places of its stack, in turn.
// CFLAGS: -fopenmp
// STDOUT: 2857800
#include <stdio.h>

struct State {
    int words[10];
};

static void fill(struct State *state, int n) {
    for (int i = 0; i < 10; i++)
        state->words[i] = n;
}

static void (*volatile filler)(struct State *, int) = fill;

__attribute__((noinline)) static long use(int n) {
    struct State state;
    filler(&state, n);
    return state.words[n % 10];
}

int main(void) {
    long parts[40], sum = 0;
#pragma omp parallel num_threads(2)
#pragma omp single
    for (int t = 0; t < 40; t++)
#pragma omp task firstprivate(t) shared(parts)
    {
        parts[t] = 0;
        for (int i = 0; i < 1200; i++)
            parts[t] += use(i % 121);
    }
    for (int t = 0; t < 40; t++)
        sum += parts[t];
    printf("%ld\n", sum);
    return 0;
}
