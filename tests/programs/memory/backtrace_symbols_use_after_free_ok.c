// The addresses of a backtrace are freed after their names were made.
// STDOUT: 1
#include <execinfo.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    void **places = calloc(4, sizeof *places);
    places[0] = (void *)main;
    char **names = backtrace_symbols(places, 4);
    free(places);
    printf("%d\n", names != NULL);
    free(names);
    return 0;
}
