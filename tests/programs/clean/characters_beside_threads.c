// While a thread waits for a character of a pipe, the others run: here one of them writes it.
// STDOUT: getchar a
// STDOUT: getchar_unlocked b
// STDOUT: fgetwc c
// STDOUT: getwc d
// STDOUT: getw 1
// STDOUT: getwchar e
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>
#include <wchar.h>

enum { GETCHAR, GETCHAR_UNLOCKED, FGETWC, GETWC, GETW, GETWCHAR, N };
static const char *const names[N] = {
    "getchar", "getchar_unlocked", "fgetwc", "getwc", "getw", "getwchar"};
static int ends[2];

static void *writer(void *text) {
    usleep(10000);
    if (write(ends[1], text, strlen(text)) < 0) abort();
    return NULL;
}

static int read_by(int way) {
    FILE *stream = way == FGETWC || way == GETWC || way == GETW ? fdopen(dup(ends[0]), "r") : stdin;
    int found = 0;
    switch (way) {
    case GETCHAR: found = (getchar)(); break;
    case GETCHAR_UNLOCKED: found = (getchar_unlocked)(); break;
    case FGETWC: found = (int)fgetwc(stream); break;
    case GETWC: found = (int)getwc(stream); break;
    case GETW: found = getw(stream) == 0x66666666; break;
    default: found = (int)(getwchar)(); break;
    }
    if (stream != stdin) fclose(stream);
    return found;
}

int main(void) {
    static char *const texts[N] = {"a", "b", "c", "d", "ffff", "e"};
    if (pipe(ends) || dup2(ends[0], 0) < 0) return 1;
    for (int way = 0; way < N; way++) {
        pthread_t thread;
        if (way == GETWCHAR && freopen("/dev/stdin", "r", stdin) == NULL) return 2;
        pthread_create(&thread, NULL, writer, texts[way]);
        int found = read_by(way);
        pthread_join(thread, NULL);
        if (way == GETW) printf("%s %d\n", names[way], found);
        else printf("%s %c\n", names[way], found);
    }
    return 0;
}
