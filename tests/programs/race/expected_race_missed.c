// A race was announced, and does not come.
// NATIVE: miss ThreadSanitizer accepts the annotation without effect
#include "annotations.h"
#include <stdio.h>
static int hint;

int main(void) {
    AnnotateExpectRace(__FILE__, __LINE__, &hint, "only a hint");
    hint++;
    AnnotateFlushExpectedRaces(__FILE__, __LINE__); // EXPECT: missed expected data race
    puts("done");
    return 0;
}
