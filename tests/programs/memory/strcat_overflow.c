// strcat onto a buffer that is already nearly full.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
    (void)argv;
    const char *suffixes[] = {"", ".backup"};
    char *path = malloc(12); // ALLOCATED
    if (!path) return 1;
    strcpy(path, "file.txt");
    strcat(path, suffixes[argc]); // EXPECT: heap-buffer-overflow write
    puts(path);
    free(path);
    return 0;
}
