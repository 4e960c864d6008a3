// The program ends while its main thread ignores what it synchronises.
// NATIVE: skip it says so and ends, without the lines of a report
#include "annotations.h"
#include <stdio.h>

int main(void) {
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__);
    AnnotateIgnoreSyncEnd(__FILE__, __LINE__);
    AnnotateIgnoreSyncBegin(__FILE__, __LINE__); // EXPECT: thread finished with ignores enabled
    puts("done");
    return 0;
}
