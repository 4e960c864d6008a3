// A temporary file: fprintf, rewind, fgets, fseek, fread, ftell.
// STDOUT: line 0
// STDOUT: line 1
// STDOUT: line 2
// STDOUT: size 21, middle "line 1"
#include <stdio.h>
#include <string.h>

int main(void) {
    FILE *file = tmpfile();
    char line[32];
    if (!file) return 1;
    for (int i = 0; i < 3; i++) fprintf(file, "line %d\n", i);
    long size_bytes = ftell(file);
    rewind(file);
    while (fgets(line, sizeof line, file)) fputs(line, stdout);
    memset(line, 0, sizeof line);
    if (fseek(file, 7, SEEK_SET) || fread(line, 1, 6, file) != 6) return 1;
    printf("size %ld, middle \"%s\"\n", size_bytes, line);
    return fclose(file);
}
