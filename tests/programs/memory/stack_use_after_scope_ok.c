// Scopes that begin and end, again and again, each used while it lasts.
// STDOUT: 90 3
#include <stdio.h>

static int *volatile kept;

__attribute__((noinline)) static void store(int *place, int value) { *place = value; }

int main(int argc, char **argv) {
    (void)argv;
    int sum = 0;
    for (int i = 0; i < 10; i++) {
        int inner[3];
        kept = inner;
        for (int k = 0; k < 3; k++)
            store(kept + k, i);
        if (i == 20)
            goto out;
        sum += inner[0] * 2;
    }
    int late = argc;
    switch (argc) {
        int other;
    case 1:
        other = 2;
        store(&late, other + argc);
        break;
    default:
        other = 5;
        store(&other, 6);
    }
    printf("%d %d\n", sum, late);
out:
    return 0;
}
