// The twin of double_free: the second owner gives up its claim; free(NULL) is allowed.
// STDOUT: done
#include <stdio.h>
#include <stdlib.h>

struct owner {
    char *volatile name;
};

static void drop(struct owner *owner) {
    free(owner->name);
    owner->name = NULL;
}

int main(void) {
    struct owner first = {malloc(12)};
    struct owner second = {first.name};
    drop(&first);
    second.name = first.name;
    drop(&second);
    puts("done");
    return 0;
}
