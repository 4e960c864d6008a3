// The twin of glob_use_after_free.
// STDOUT: 1 /
#include <glob.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(void) {
    char *pattern = malloc(2);
    memcpy(pattern, "/", 2);
    glob_t found;
    glob(pattern, 0, NULL, &found);
    printf("%zu %s\n", found.gl_pathc, found.gl_pathv[0]);
    globfree(&found);
    free(pattern);
    return 0;
}
