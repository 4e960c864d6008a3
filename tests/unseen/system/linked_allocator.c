// An allocator over sbrk-like memory from mmap: free lists, coalescing, alignment, realloc.
#include <assert.h>
#include <malloc.h>
#include <stdalign.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

enum { ARENA = 1 << 16, UNIT = 16 };
struct block {
    size_t size;
    struct block *next;
};
static struct block *list;
static char *arena;

static void arena_init(void) {
    arena = mmap(NULL, ARENA, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    assert(arena != MAP_FAILED);
    list = (struct block *)arena;
    *list = (struct block){ARENA, NULL};
}

static void *take(size_t size) {
    size = (size + sizeof(struct block) + UNIT - 1) / UNIT * UNIT;
    for (struct block **at = &list; *at; at = &(*at)->next) {
        struct block *found = *at;
        if (found->size < size) continue;
        if (found->size - size >= 2 * UNIT) {
            struct block *rest = (struct block *)((char *)found + size);
            *rest = (struct block){found->size - size, found->next};
            *at = rest;
            found->size = size;
        } else *at = found->next;
        return found + 1;
    }
    return NULL;
}

static void give(void *memory) {
    struct block *block = (struct block *)memory - 1, **at = &list;
    while (*at && *at < block) at = &(*at)->next;
    block->next = *at;
    *at = block;
    for (struct block *b = list; b && b->next;) {
        if ((char *)b + b->size == (char *)b->next) b->size += b->next->size, b->next = b->next->next;
        else b = b->next;
    }
}

int main(void) {
    arena_init();
    char *texts[40];
    unsigned state = 1;
    for (int round = 0; round < 3; round++) {
        for (int i = 0; i < 40; i++) {
            state = state * 1103515245 + 12345;
            size_t size = 8 + state / 65536 % 500;
            texts[i] = take(size);
            assert(texts[i] && (uintptr_t)texts[i] % UNIT == 0);
            memset(texts[i], 'a' + i % 26, size);
        }
        for (int i = 0; i < 40; i += 2) give(texts[i]);
        for (int i = 1; i < 40; i += 2) assert(texts[i][7] == 'a' + i % 26), give(texts[i]);
        printf("%zu %d\n", list->size, list->next == NULL);
    }
    assert(!take(ARENA));
    munmap(arena, ARENA);

    void *aligned = NULL;
    assert(posix_memalign(&aligned, 256, 100) == 0 && (uintptr_t)aligned % 256 == 0);
    free(aligned);
    aligned = aligned_alloc(64, 128);
    assert((uintptr_t)aligned % 64 == 0 && malloc_usable_size(aligned) >= 128);
    free(aligned);
    int *numbers = calloc(10, sizeof *numbers);
    for (int i = 0; i < 10; i++) assert(numbers[i] == 0), numbers[i] = i;
    numbers = realloc(numbers, 1000 * sizeof *numbers);
    assert(numbers[9] == 9);
    numbers = reallocarray(numbers, 5, sizeof *numbers);
    printf("%d\n", numbers[4]);
    free(numbers);
    free(NULL);
    assert(alignof(max_align_t) == 16 && offsetof(struct block, next) == 8);
    return 0;
}
