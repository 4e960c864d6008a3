// The twin of segv_null_read: the result is checked.
// STDOUT: none
#include <stddef.h>
#include <stdio.h>

struct entry {
    int key;
    volatile int value;
};

static struct entry table[2] = {{1, 10}, {2, 20}};

static struct entry *find(int key) {
    for (int i = 0; i < 2; i++) {
        if (table[i].key == key) return &table[i];
    }
    return NULL;
}

int main(int argc, char **argv) {
    (void)argv;
    struct entry *volatile entry = find(argc + 2);
    if (entry) {
        printf("%d\n", entry->value);
    } else {
        puts("none");
    }
    return 0;
}
