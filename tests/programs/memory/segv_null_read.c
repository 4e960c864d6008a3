// A lookup that fails returns null, and nobody asks.
#include <stdio.h>
#include <stddef.h>

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
    int value = entry->value; // EXPECT: SEGV read
    printf("%d\n", value);
    return 0;
}
