// The whole malloc family on many sizes: contents survive, blocks are aligned and do not overlap.
// STDOUT: sizes 97, misaligned 0, damaged 0, zeroed yes
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCKS = 97 };

int main(void) {
    unsigned char *blocks[BLOCKS];
    size_t sizes[BLOCKS];
    int misaligned = 0, damaged = 0;
    for (size_t i = 0; i < BLOCKS; i++) {
        sizes[i] = i * i * 3 + i;
        blocks[i] = malloc(sizes[i]);
        if (!blocks[i]) return 1;
        misaligned += (uintptr_t)blocks[i] % 16 != 0;
        memset(blocks[i], (int)i, sizes[i]);
    }
    for (size_t i = 0; i < BLOCKS; i += 2) {
        size_t grown = sizes[i] * 2 + 1;
        blocks[i] = realloc(blocks[i], grown);
        if (!blocks[i]) return 1;
        memset(blocks[i] + sizes[i], (int)i, grown - sizes[i]);
        sizes[i] = grown;
    }
    for (size_t i = 0; i < BLOCKS; i++) {
        for (size_t at = 0; at < sizes[i]; at++) damaged += blocks[i][at] != i;
        free(blocks[i]);
    }
    int *zeroed = calloc(1000, sizeof *zeroed), sum = 0;
    if (!zeroed) return 1;
    for (int i = 0; i < 1000; i++) sum |= zeroed[i];
    free(zeroed);
    free(malloc(0));
    printf("sizes %d, misaligned %d, damaged %d, zeroed %s\n", BLOCKS, misaligned, damaged,
           sum ? "no" : "yes");
    return 0;
}
