// A page of a block that the program has made unreadable is left out of the search.
// NATIVE: false-alarm the search reads the page and ends the program
// EXIT: 0
#include <stdlib.h>
#include <sys/mman.h>

static void **volatile block;

int main(void) {
    block = aligned_alloc(4096, 12288);
    block[0] = malloc(10);
    block[511] = malloc(11);
    block[1535] = malloc(12);
    mprotect((char *)block + 4096, 4096, PROT_NONE);
    return 0;
}
