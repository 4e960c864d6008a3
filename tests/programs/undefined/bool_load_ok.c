// Booleans that are 0 or 1, and bytes that are not read as booleans.
// EXIT: 0
#include <stdbool.h>
#include <string.h>

volatile int sink, two = 2;

int main(void) {
    bool flags[4] = {true, false, two != 0, two};
    bool *volatile at = flags;
    sink = at[0] + at[1] + at[2] + at[3];
    memset(flags, 2, sizeof flags);
    sink += *(unsigned char *volatile)flags;
    return sink != 5;
}
