// Buffers that the library grows or allocates, and the program frees.
// STDOUT: 4 one
// STDOUT: 301 yes
// STDOUT: -1
// STDOUT: <7:seven> 9
// STDOUT: here
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
    FILE *file = tmpfile();
    if (!file) return 1;
    fputs("one\n", file);
    for (int i = 0; i < 300; i++) fputc('x', file);
    fputs("\n", file);
    rewind(file);

    size_t size_bytes = 2;
    char *line = malloc(size_bytes);
    if (!line) return 1;
    ssize_t length = getline(&line, &size_bytes, file);
    printf("%zd %.3s\n", length, line);
    length = getline(&line, &size_bytes, file);
    printf("%zd %s\n", length, size_bytes > 301 && line[299] == 'x' ? "yes" : "no");
    printf("%zd\n", getline(&line, &size_bytes, file));
    line = realloc(line, size_bytes + 1);
    free(line);
    fclose(file);

    char *text = NULL;
    int n = asprintf(&text, "<%d:%s>", 7, "seven");
    printf("%s %d\n", text, n);
    free(text);

    char *folder = getcwd(NULL, 0);
    if (!folder) return 1;
    folder = realloc(folder, strlen(folder) + 100);
    if (!folder) return 1;
    puts(strcat(folder, "/")[0] == '/' ? "here" : "nowhere");
    free(folder);
    return 0;
}
