// Two owners, each of which thinks that it must free the block.
#include <stdlib.h>

struct owner {
    char *volatile name;
};

static void drop(struct owner *owner) {
    free(owner->name); // EXPECT: double-free // FREED
}

int main(void) {
    struct owner first = {malloc(12)}; // ALLOCATED
    struct owner second = {first.name};
    drop(&first);
    drop(&second);
    return 0;
}
