// Three readers and one writer on a search tree under a reader-writer lock.
// SIZE: default 2000000, smoke 40000
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

enum { READERS = 3, KEYS = 1 << 12, WRITES_ONE_IN = 16 };

struct node {
    unsigned key, value;
    struct node *smaller, *larger;
};

static pthread_rwlock_t lock = PTHREAD_RWLOCK_INITIALIZER;
static struct node *root;
static long lookups_each;

static struct node **find(unsigned key) {
    struct node **link = &root;
    while (*link && (*link)->key != key) {
        link = key < (*link)->key ? &(*link)->smaller : &(*link)->larger;
    }
    return link;
}

static void store(unsigned key, unsigned value) {
    struct node **link = find(key);
    if (!*link) {
        *link = calloc(1, sizeof **link);
        if (!*link) exit(1);
        (*link)->key = key;
    }
    (*link)->value = value;
}

static void *reader(void *argument) {
    long *hits = argument;
    unsigned state = 17;
    for (long i = 0; i < lookups_each; i++) {
        state = state * 1664525u + 1013904223u;
        pthread_rwlock_rdlock(&lock);
        const struct node *node = *find((state >> 12) % KEYS);
        *hits += node && node->value % KEYS == node->key;
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void *writer(void *argument) {
    unsigned state = *(unsigned *)argument;
    for (long i = 0; i < lookups_each / WRITES_ONE_IN; i++) {
        state = state * 1664525u + 1013904223u;
        unsigned key = (state >> 12) % KEYS;
        pthread_rwlock_wrlock(&lock);
        store(key, key + KEYS * (unsigned)(i & 3));
        pthread_rwlock_unlock(&lock);
    }
    return NULL;
}

static void fell(struct node *node) {
    if (!node) return;
    fell(node->smaller);
    fell(node->larger);
    free(node);
}

int main(int argc, char **argv) {
    lookups_each = argc > 1 ? atol(argv[1]) : 2000000;
    pthread_t readers[READERS], writing;
    long hits[READERS][8] = {{0}}, found = 0;
    unsigned seed = 99;
    for (unsigned i = 0; i < KEYS; i++) store(i * 1597 % KEYS, i * 1597 % KEYS);
    if (pthread_create(&writing, NULL, writer, &seed)) return 1;
    for (int i = 0; i < READERS; i++) {
        if (pthread_create(&readers[i], NULL, reader, hits[i])) return 1;
    }
    for (int i = 0; i < READERS; i++) pthread_join(readers[i], NULL);
    pthread_join(writing, NULL);
    for (int i = 0; i < READERS; i++) found += hits[i][0];
    printf("read_mostly_map %ld %ld\n", lookups_each, found);
    fell(root);
    return 0;
}
