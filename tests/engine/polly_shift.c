// With an argument the arrays overlap, although add() says that they do not.
#include <stdio.h>

#define N 96
static int a[N + 1], b[N];

__attribute__((noinline)) static void add(int *restrict to, const int *restrict from) {
    for (int i = 0; i < N; i++) to[i] = from[i] * 3 + i;
}

int main(int argc, char **argv) {
    long sum = 0;
    for (int i = 0; i < N; i++) b[i] = i * 7 % 5;
    if (argc > 1)
        add(a + 1, a);
    else
        add(a, b);
    for (int i = 0; i < N; i++) sum = (sum + a[i]) % 1000;
    printf("%d\n", argc > 1 ? 0 : (int)sum);
    return 0;
}
