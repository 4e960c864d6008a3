// A suppression hides what it names, and nothing else.
#include <stdlib.h>

const char *__lsan_default_suppressions(void) {
    return "leak:known_to_lose\n";
}

static void known_to_lose(void) {
    volatile char *block = malloc(98);
    block[0] = 1;
}

static void lose(void) {
    volatile char *block = malloc(99); // EXPECT: direct-leak 99
    block[0] = 1;
}

int main(void) {
    known_to_lose();
    lose();
    return 0;
}
