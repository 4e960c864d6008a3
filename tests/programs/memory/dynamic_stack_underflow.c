// Below a block from alloca.
#include <alloca.h>
#include <stdio.h>

static int *volatile row;

int main(int argc, char **argv) {
    (void)argv;
    row = alloca((size_t)(argc + 7) * sizeof(int));
    row[0] = 1;
    row[-1] = 2; // EXPECT: dynamic-stack-buffer-overflow write 4
    printf("%d\n", row[0]);
    return 0;
}
