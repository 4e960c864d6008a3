// A lost block of six thousand million bytes: no number that looks like an address in it keeps it.
// ONLY: -O1 it takes its time
// SEEDS: few six gigabytes are looked through at its end
#include <stdio.h>
#include <stdlib.h>


int main(int argc, char **argv) {
    (void)argv;
    char *volatile first = malloc(100); // EXPECT: direct-leak 100
    char *volatile huge = malloc((size_t)argc * 6000000000ul); // EXPECT: direct-leak 6000000000
    char *volatile last = malloc(50); // EXPECT: direct-leak 50
    first = huge = last = NULL;
    printf("%d\n", first == last && huge == first);
    return 0;
}
