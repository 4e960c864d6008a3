// A lock is read-locked by its writer, another is read-unlocked by its writer, a third is not held.
#include "annotations.h"
#include <stdio.h>
static int first, second, third;

int main(void) {
    AnnotateRWLockAcquired(__FILE__, __LINE__, &first, 1);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &first, 0); // EXPECT: read lock of a write locked mutex
    AnnotateRWLockAcquired(__FILE__, __LINE__, &second, 1);
    AnnotateRWLockReleased(__FILE__, __LINE__, &second, 0); // EXPECT: read unlock of a write locked mutex
    AnnotateRWLockReleased(__FILE__, __LINE__, &third, 1); // EXPECT: unlock of an unlocked mutex (or by a wrong thread)
    puts("done");
    return 0;
}
