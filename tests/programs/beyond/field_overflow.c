// A member array indexed into the member behind it.
// FLAGS: IRSAN_OPTIONS=check_object_bounds=2
// ONLY: -O0 later levels count in bytes
// NATIVE: miss the other member is part of the same block
#include <stdlib.h>

struct Account {
    volatile char name[8];
    volatile long balance;
};

int main(void) {
    struct Account *account = calloc(1, sizeof *account);
    volatile int place = 9;
    account->name[place] = 1; // EXPECT: intra-object-overflow write 1
    free(account);
    return 0;
}
