// The exit handler waits for the thread that looks at the table before it frees it.
// STDOUT: closed
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>
static int *table, is_open = 1;
static pthread_t looker;

static void close_table(void) {
    pthread_join(looker, NULL);
    is_open = 0;
    free(table);
    puts("closed");
}

static void *look(void *unused) {
    usleep(1000);
    int seen = is_open;
    return table[seen] ? unused : table;
}

int main(void) {
    table = calloc(16, sizeof *table);
    atexit(close_table);
    pthread_create(&looker, NULL, look, NULL);
    return 0;
}
