// EXIT: 0
// FLAGS: ASAN_OPTIONS=check_initialization_order=1
// WITH: parts/init_order_late.cpp
// Only this module's variables are read while it initialises them; the next one reads ours later.
volatile int start = 1;
int early = start + 1;
int read_early() { return early; }
extern int late;

int main() {
    return late + early != 6;
}
