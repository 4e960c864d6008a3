// Arithmetic within an object and to one past its end.
// EXIT: 0
#include <stddef.h>

char bytes[16];
char *volatile place;
volatile ptrdiff_t four = 4;

int main(void) {
    char *at = bytes + 4 * four;
    place = at;
    place = at - 16;
    for (char *each = bytes; each != at; each++) *each = 1;
    return at - bytes != 16;
}
