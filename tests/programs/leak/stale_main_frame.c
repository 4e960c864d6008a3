// main's own frame is full of copies of the pointer, and main has returned.
// NATIVE: miss what runs at exit stands where main's frame was, and scans it
#include <stdlib.h>

int main(void) {
    void *volatile slots[20000];
    volatile char *block = malloc(50); // EXPECT: direct-leak 50
    block[0] = 1;
    for (int i = 0; i < 20000; i++) slots[i] = (void *)block;
    return slots[7] == NULL;
}
