// The same of a global: byte 24 is behind its last granule.
// FLAGS: ASAN_OPTIONS=poison_partial=0
static char table[21];

int main(void) {
    char *volatile at = table;
    volatile int index = 6;
    return ((volatile int *)at)[index] & 0; // EXPECT: global-buffer-overflow read 4
}
