// The pattern of glob has been freed.
// NATIVE: miss the pattern of glob is not looked at
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *pattern = malloc(2); // ALLOCATED
    memcpy(pattern, "/", 2);
    glob_t found;
    free(pattern); // FREED
    glob(pattern, 0, NULL, &found); // EXPECT: heap-use-after-free read
    printf("%zu %s\n", found.gl_pathc, found.gl_pathv[0]);
    globfree(&found);
    return 0;
}
