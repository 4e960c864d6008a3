// A failed assertion is the program's own end as well.
// EXIT: 134
#undef NDEBUG // some compiler drivers define it when they optimise
#include <assert.h>

static volatile int invariant;

int main(void) {
    assert(invariant == 1);
    return 0;
}
