// More than any machine that runs this has: refused at once, not filled.
#include <stdio.h>
#include <stdlib.h>

static void *volatile kept;

int main(int argc, char **argv) {
    (void)argv;
    kept = malloc((size_t)argc << 39); // EXPECT: out-of-memory
    printf("%d\n", kept != NULL);
    return 0;
}
