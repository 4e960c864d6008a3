// The frame that longjmp comes back to has its redzones still.
// NATIVE: miss longjmp forgets the redzones of the whole stack
#include <setjmp.h>
#include <stdio.h>
#include <string.h>

static jmp_buf place;
static char *volatile mine;

__attribute__((noinline)) static void leave(void) {
    char small[20];
    memset(small, 1, sizeof small);
    mine[0] = small[3];
    longjmp(place, 1);
}

int main(void) {
    char block[24];
    mine = block;
    if (setjmp(place) == 0)
        leave();
    mine[24] = 1; // EXPECT: stack-buffer-overflow write 1
    return 0;
}
