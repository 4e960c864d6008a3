// With handle_sigill=0 an illegal instruction ends the program by SIGILL: status 132.
// FLAGS: ASAN_OPTIONS=handle_sigill=0
// EXIT: 132
static volatile int state = 3;

int main(void) {
    if (state == 3) __builtin_trap();
    return 0;
}
