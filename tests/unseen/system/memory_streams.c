// Streams over memory: open_memstream, fmemopen, fopencookie, setvbuf, dprintf, asprintf.
#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/types.h>
#include <unistd.h>
#include <wchar.h>

struct rot {
    char *text;
    size_t at, size;
    int closed;
};

static ssize_t rot_read(void *cookie, char *buffer, size_t size) {
    struct rot *rot = cookie;
    size_t n = rot->size - rot->at < size ? rot->size - rot->at : size;
    for (size_t i = 0; i < n; i++) {
        char c = rot->text[rot->at++];
        buffer[i] = c >= 'a' && c <= 'z' ? (char)('a' + (c - 'a' + 13) % 26) : c;
    }
    return (ssize_t)n;
}
static ssize_t rot_write(void *cookie, const char *buffer, size_t size) {
    struct rot *rot = cookie;
    rot->text = realloc(rot->text, rot->size + size + 1);
    memcpy(rot->text + rot->size, buffer, size);
    rot->size += size;
    rot->text[rot->size] = 0;
    return (ssize_t)size;
}
static int rot_close(void *cookie) { return ((struct rot *)cookie)->closed = 1, 0; }

int main(void) {
    char *text = NULL;
    size_t size = 0;
    FILE *out = open_memstream(&text, &size);
    for (int i = 0; i < 100; i++) fprintf(out, "%d,", i);
    fflush(out);
    printf("%zu %.10s\n", size, text);
    fseek(out, 0, SEEK_SET);
    fputs("start", out);
    fclose(out);
    printf("%.8s %zu\n", text, strlen(text));
    free(text);

    char buffer[32] = "12 34 rest";
    FILE *in = fmemopen(buffer, sizeof buffer, "r+");
    int a, b;
    assert(fscanf(in, "%d %d", &a, &b) == 2 && a + b == 46);
    fseek(in, 0, SEEK_SET);
    fputs("changed", in);
    fclose(in);
    printf("%s\n", buffer);
    FILE *fixed = fmemopen(NULL, 16, "w+");
    fputs("0123456789", fixed);
    rewind(fixed);
    char back[11] = "";
    assert(fread(back, 1, 10, fixed) == 10);
    fclose(fixed);

    struct rot rot = {0};
    FILE *cipher = fopencookie(&rot, "w+", (cookie_io_functions_t){.read = rot_read, .write = rot_write, .close = rot_close});
    setvbuf(cipher, NULL, _IONBF, 0);
    fprintf(cipher, "hello %s", back + 7);
    fflush(cipher);
    char line[32];
    assert(fgets(line, sizeof line, cipher));
    fclose(cipher);
    printf("%s %d\n", line, rot.closed);
    free(rot.text);

    char *formatted;
    int n = asprintf(&formatted, "%-8s|%+05d|%#x|%.3e|%c|%%|%5.1f", "left", 42, 255, 12345.678, 'z', 2.25);
    printf("%d %s\n", n, formatted);
    free(formatted);
    wchar_t *wide = NULL;
    size_t count = 0;
    FILE *wide_out = open_wmemstream(&wide, &count);
    fwprintf(wide_out, L"%ls %d", L"wide", 7);
    fclose(wide_out);
    printf("%zu %ls\n", count, wide);
    free(wide);
    fflush(stdout);
    assert(dprintf(STDOUT_FILENO, "direct %d\n", 5) == 9);
    return 0;
}
