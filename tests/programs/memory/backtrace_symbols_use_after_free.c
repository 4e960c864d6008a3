// The addresses of a backtrace are freed before their names are asked for.
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    void **places = calloc(4, sizeof *places); // ALLOCATED
    places[0] = (void *)main;
    free(places);                              // FREED
    char **names = backtrace_symbols(places, 4); // EXPECT: heap-use-after-free read 32
    printf("%d\n", names != NULL);
    free(names);
    return 0;
}
