// The facts about a file are asked for after their place was given back.
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

int main(void) {
    struct stat *facts = malloc(sizeof *facts); // ALLOCATED
    free(facts); // FREED
    int status = stat("/", facts); // EXPECT: heap-use-after-free write 144
    printf("%d\n", status);
    return 0;
}
