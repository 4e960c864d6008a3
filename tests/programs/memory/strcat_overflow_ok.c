// The twin of strcat_overflow: sixteen bytes are just enough.
// STDOUT: file.txt.backup
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    const char *suffixes[] = {"", ".backup"};
    char *path = malloc(16);
    if (!path) return 1;
    strcpy(path, "file.txt");
    strcat(path, suffixes[argc]);
    puts(path);
    free(path);
    return 0;
}
