// A record of twelve bytes is read into a buffer of eight.
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *file = tmpfile();
    char *record = malloc(8); // ALLOCATED
    if (!file || !record) return 1;
    fputs("twelve bytes", file);
    rewind(file);
    size_t count = fread(record, 12, 1, file); // EXPECT: heap-buffer-overflow write 12
    free(record);
    fclose(file);
    return count == 2;
}
