// writev of more than a pipe holds waits for another thread that reads, and keeps the order.
// STDOUT: 1000000 written, 1000000 came in order
// STDOUT: small lists stay whole: 0 mixed
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/uio.h>
#include <unistd.h>

enum { N_BYTES = 1000000, N_LINES = 3000, LINE = 40 };
static int ends[2];

static void *reader(void *unused) {
    static unsigned char part[30000];
    long n_came = 0, n_wrong = 0;
    ssize_t n;
    while (n_came < N_BYTES && (n = read(ends[0], part, sizeof part)) > 0) {
        for (ssize_t i = 0; i < n; i++) n_wrong += part[i] != (n_came + i) % 251;
        n_came += n;
    }
    static char text[32];
    snprintf(text, sizeof text, "%ld came%s", n_came, n_wrong == 0 ? " in order" : ", some wrong");
    return text;
}

static void *writer(void *letter) {
    char half[LINE / 2];
    for (int i = 0; i < LINE / 2; i++) half[i] = *(char *)letter;
    struct iovec pieces[2] = {{half, LINE / 2}, {half, LINE / 2}};
    for (int i = 0; i < N_LINES; i++) {
        if (writev(ends[1], pieces, 2) != LINE) return letter;
    }
    return NULL;
}

int main(void) {
    char *bytes = malloc(N_BYTES), line[LINE], a = 'a', b = 'b';
    for (int i = 0; i < N_BYTES; i++) bytes[i] = (char)(i % 251);
    struct iovec pieces[3] = {{bytes, 7}, {bytes + 7, 0}, {bytes + 7, N_BYTES - 7}};
    pthread_t thread, other;
    void *said;
    if (pipe(ends) != 0) return 1;
    pthread_create(&thread, NULL, reader, NULL);
    long n = writev(ends[1], pieces, 3);
    pthread_join(thread, &said);
    printf("%ld written, %s\n", n, (char *)said);
    free(bytes);
    pthread_create(&thread, NULL, writer, &a);
    pthread_create(&other, NULL, writer, &b);
    int n_mixed = 0;
    for (int i = 0; i < 2 * N_LINES; i++) {
        if (read(ends[0], line, LINE) != LINE) return 2;
        for (int j = 1; j < LINE; j++) n_mixed += line[j] != line[0];
    }
    pthread_join(thread, NULL);
    pthread_join(other, NULL);
    printf("small lists stay whole: %d mixed\n", n_mixed);
    return 0;
}
