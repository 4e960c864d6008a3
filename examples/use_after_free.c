/* A cache keeps a pointer to an entry that eviction has freed.
 *
 *     irsan run examples/use_after_free.c
 *
 * What to see: one heap-use-after-free with three stacks. The read in `lookup`, the free in `evict`
 * and the allocation in `insert`, each with its line; and how far into the freed block the read was.
 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct entry {
    char key[16];
    int hits;
};

static struct entry *newest;

static void insert(const char *key) {
    newest = malloc(sizeof *newest);
    if (!newest) exit(1);
    strcpy(newest->key, key);
    newest->hits = 0;
}

static void evict(void) {
    free(newest); /* newest still points there */
}

static int lookup(const char *key) {
    if (newest->key[0] != key[0]) return -1;
    return ++newest->hits;
}

int main(void) {
    insert("apple");
    printf("hits: %d\n", lookup("apple"));
    evict();
    printf("hits: %d\n", lookup("apple"));
    return 0;
}
