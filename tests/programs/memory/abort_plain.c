// abort is a finding, at the place that has called it; its twin keeps the plain end.
// NATIVE: miss handle_abort is off there
#include <stdlib.h>

static volatile int broken = 1;

int main(void) {
    if (broken) abort(); // EXPECT: ABRT
    return 0;
}
