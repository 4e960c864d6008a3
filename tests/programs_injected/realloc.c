// realloc that fails leaves the old block as it is: the bug loses it (a leak), or frees it.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    char *volatile old = malloc(16);
    if (old == NULL)
        return 3;
    old[0] = 'a';
    char *volatile grown = realloc(old, 4096);
    if (grown == NULL) {
        if (old[0] != 'a')
            return 4;
#ifdef FIXED
        free(old);
#else
        old = NULL;
#endif
        return 3;
    }
    free(grown);
    return 0;
}
