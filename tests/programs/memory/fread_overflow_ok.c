// The file ends before the buffer does, however much was asked for.
// STDOUT: 12
#include <stdio.h>
#include <stdlib.h>

int main(void) {
    FILE *file = tmpfile();
    char *record = malloc(12);
    if (!file || !record) return 1;
    fputs("twelve bytes", file);
    rewind(file);
    printf("%zu\n", fread(record, 1, 100, file));
    free(record);
    fclose(file);
    return 0;
}
