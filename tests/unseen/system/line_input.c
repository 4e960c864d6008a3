// getline, getdelim, ungetc, fgets and fgetc over a file with long and empty lines.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>

struct lines {
    char **items;
    size_t used, room;
};

static void push(struct lines *lines, const char *text, size_t size) {
    if (lines->used == lines->room) {
        lines->room = lines->room ? lines->room * 2 : 4;
        lines->items = realloc(lines->items, lines->room * sizeof *lines->items);
    }
    lines->items[lines->used++] = strndup(text, size);
}

static void clear(struct lines *lines) {
    for (size_t i = 0; i < lines->used; i++) free(lines->items[i]);
    free(lines->items);
}

int main(void) {
    FILE *file = tmpfile();
    assert(file);
    fputs("first\n\nthird line is longer than the others\n", file);
    for (int i = 0; i < 5000; i++) fputc('a' + i % 26, file);
    fputs("\nlast without end", file);
    rewind(file);
    struct lines lines = {0};
    char *line = NULL;
    size_t room = 0;
    ssize_t n;
    while ((n = getline(&line, &room, file)) > 0) push(&lines, line, (size_t)n);
    assert(feof(file) && !ferror(file) && n == -1);
    for (size_t i = 0; i < lines.used; i++) printf("%zu:%.12s\n", strlen(lines.items[i]), lines.items[i]);
    clear(&lines);
    rewind(file);
    int words = 0;
    while ((n = getdelim(&line, &room, ' ', file)) > 0) words++;
    printf("%d words, buffer at least %d\n", words, room >= 5000);
    free(line);

    rewind(file);
    int c = fgetc(file);
    assert(c == 'f' && ungetc('F', file) == 'F');
    char small[8];
    assert(fgets(small, sizeof small, file) == small && !strcmp(small, "First\n"));
    assert(fgets(small, sizeof small, file) && !strcmp(small, "\n"));
    assert(fgets(small, sizeof small, file) && !strcmp(small, "third l"));
    assert(fseek(file, -4, SEEK_END) == 0 && fread(small, 1, 8, file) == 4);
    assert(!memcmp(small, " end", 4) && fgets(small, sizeof small, file) == NULL);
    clearerr(file);
    fpos_t place;
    assert(fseek(file, 6, SEEK_SET) == 0 && fgetpos(file, &place) == 0);
    assert(getc(file) == '\n' && getc(file) == 't');
    assert(fsetpos(file, &place) == 0 && getc(file) == '\n');
    printf("%ld\n", ftell(file));
    fclose(file);
    return 0;
}
