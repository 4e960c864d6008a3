// Every allocation function that may fail; the program's argument chooses one. The bug: no test.
#define _GNU_SOURCE
#include <malloc.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static void *with_posix_memalign(void) {
    void *made = NULL;
    return posix_memalign(&made, 64, 64) == 0 ? made : NULL;
}

static void *with_asprintf(void) {
    char *text = NULL;
    return asprintf(&text, "%d", 7) < 0 ? NULL : text;
}

static char *volatile kept;  // or the compiler takes the allocation away

static void *allocate(int way) {
    switch (way) {
    case 0: return malloc(64);
    case 1: return calloc(4, 16);
    case 2: return realloc(NULL, 64);
    case 3: return reallocarray(NULL, 4, 16);
    case 4: return with_posix_memalign();
    case 5: return aligned_alloc(64, 64);
    case 6: return memalign(64, 64);
    case 7: return valloc(64);
    case 8: return strdup("a string");
    case 9: return strndup("a string", 4);
    case 10: return wcsdup(L"wide");
    case 11: return with_asprintf();
    case 12: return realpath("/", NULL);
    default: return pvalloc(64);
    }
}

int main(int argc, char **argv) {
    char *block = kept = allocate(argc > 1 ? atoi(argv[1]) : 0);
#ifdef FIXED
    if (block == NULL) {
        perror("allocate");
        return 3;
    }
#endif
    kept[0] = 'x';
    free(block);
    return 0;
}
