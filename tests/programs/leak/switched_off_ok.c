// The program says that it does not want to be searched.
// EXIT: 0
#include <stdlib.h>

int __lsan_is_turned_off(void) {
    return 1;
}

static void lose(void) {
    volatile char *block = malloc(95);
    block[0] = 1;
}

int main(void) {
    lose();
    return 0;
}
