// The program brings its suppressions: the block and what it points to are hidden.
// EXIT: 0
#include <stdlib.h>

const char *__lsan_default_suppressions(void) {
    return "leak:known_to_lose\n";
}

static void known_to_lose(void) {
    void *volatile *block = malloc(98);
    block[1] = malloc(99);
}

int main(void) {
    known_to_lose();
    return 0;
}
