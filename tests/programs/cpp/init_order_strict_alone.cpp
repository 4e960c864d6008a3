// FLAGS: ASAN_OPTIONS=strict_init_order=1
// WITH: parts/init_order_late.cpp
// The strict check of the order brings the check itself with it.
volatile int start = 2;
int early = start + 1;
int read_early() {
    return early; // EXPECT: initialization-order-fiasco read 4
}

int main() {
    return early > 9;
}
