// More than a pipe holds is printed to a thread that reads the other end, by each call that prints.
// STDOUT: fprintf 400000 in order
// STDOUT: fwrite 400000 in order
// STDOUT: fputs 400000 in order
// STDOUT: fputs of lines 400000 in order
// STDOUT: dprintf 400000 in order
// STDOUT: puts 400000 in order
// STDOUT: printf 400000 in order
#define _GNU_SOURCE
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { N_BYTES = 400000, LINE_BYTES = 40 };
static const char *const names[] = {
    "fprintf", "fwrite", "fputs", "fputs of lines", "dprintf", "puts", "printf"};
static char text[N_BYTES + 1], unended[N_BYTES];
static int ends[2];
static long n_came, n_wrong;

static void *reader(void *unused) {
    static char part[3000];
    ssize_t n;
    while ((n = read(ends[0], part, sizeof part)) > 0) {
        for (ssize_t i = 0; i < n; i++) n_wrong += part[i] != text[n_came + i];
        n_came += n;
    }
    return unused;
}

static void print_by(int way, FILE *stream) {
    char line[LINE_BYTES + 1] = "";
    if (way == 1 && fwrite(text, 1000, N_BYTES / 1000, stream) != N_BYTES / 1000) abort();
    if (way == 2 && fputs(text, stream) < 0) abort();
    if (way == 5 && puts(unended) < 0) abort();
    if (way == 1 || way == 2 || way == 5) return;
    for (int i = 0; i < N_BYTES; i += LINE_BYTES) {
        memcpy(line, text + i, LINE_BYTES);
        if (way == 0) fprintf(stream, "%.20s%s", line, line + 20);
        if (way == 3) fputs(line, stream);
        if (way == 4) dprintf(ends[1], "%s", line);
        if (way == 6) printf("%s", line);
    }
}

int main(void) {
    for (int i = 0; i < N_BYTES; i++) text[i] = "abcdefghijklmnopqrstuvwxyz\n"[i * 7 % 27];
    text[N_BYTES - 1] = '\n';
    memcpy(unended, text, N_BYTES - 1);
    for (int way = 0; way < 7; way++) {
        pthread_t thread;
        int own = dup(1);
        FILE *stream = NULL;
        n_came = n_wrong = 0;
        if (pipe(ends)) return 1;
        pthread_create(&thread, NULL, reader, NULL);
        fflush(stdout);
        if (way >= 5) dup2(ends[1], 1);
        else stream = fdopen(dup(ends[1]), "w");
        print_by(way, stream);
        if (stream != NULL) fclose(stream);
        fflush(stdout);
        dup2(own, 1);
        close(own);
        close(ends[1]);
        pthread_join(thread, NULL);
        close(ends[0]);
        printf("%s %ld %s\n", names[way], n_came, n_wrong == 0 ? "in order" : "out of order");
    }
    return 0;
}
