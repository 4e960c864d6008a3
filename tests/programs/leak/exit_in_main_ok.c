// A block is held by a local of main until it calls exit.
// STDOUT: 7
#include <stdio.h>
#include <stdlib.h>

int main(int argc, char **argv) {
    (void)argv;
    int *block = malloc(5000);
    block[argc] = 7;
    printf("%d\n", block[argc]);
    exit(0);
}
