// A lock is read-locked by its writer, another is read-unlocked by its writer, a third is not held.
#include "annotations.h"
#include <stdio.h>
static int first, second, third;

int main(void) {
    AnnotateRWLockAcquired(__FILE__, __LINE__, &first, 1);
    AnnotateRWLockAcquired( // EXPECT: read lock of a write locked mutex
        __FILE__, __LINE__, &first, 0);
    AnnotateRWLockAcquired(__FILE__, __LINE__, &second, 1);
    AnnotateRWLockReleased( // EXPECT: read unlock of a write locked mutex
        __FILE__, __LINE__, &second, 0);
    AnnotateRWLockReleased( // EXPECT: unlock of an unlocked mutex (or by a wrong thread)
        __FILE__, __LINE__, &third, 1);
    puts("done");
    return 0;
}
