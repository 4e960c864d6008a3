// The C library's functions do not take null, not even for nothing.
#include <string.h>

char *volatile nowhere;
char room[4];
volatile size_t none;

int main(void) {
    memcpy(nowhere, room, none); // EXPECT: invalid-null-argument
    memset(nowhere, 0, none); // EXPECT: invalid-null-argument
    return 0;
}
