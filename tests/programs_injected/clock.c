// A date that does not fit 32 bits any more.
#include <assert.h>
#include <time.h>

int main(void) {
#ifdef FIXED
    time_t now = time(NULL);
#else
    int now = (int)time(NULL);
#endif
    assert(now > 0);
    return 0;
}
