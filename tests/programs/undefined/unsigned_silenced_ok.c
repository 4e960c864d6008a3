// The same with the flag that wants to hear nothing of it.
// CFLAGS: -fsanitize=unsigned-integer-overflow
// FLAGS: UBSAN_OPTIONS=silence_unsigned_overflow=1
// EXIT: 0
volatile unsigned top = ~0u;

int main(void) {
    top = top + 1;
    top = top * 2;
    return 0;
}
