// With handle_abort=0 a failed assertion is the program's own end: status 134 and no report.
// FLAGS: ASAN_OPTIONS=handle_abort=0
// EXIT: 134
#undef NDEBUG // some compiler drivers define it when they optimise
#include <assert.h>

static volatile int invariant;

int main(void) {
    assert(invariant == 1);
    return 0;
}
