// FLAGS: ASAN_OPTIONS=check_initialization_order=1:strict_init_order=1
// WITH: parts/init_order_late.cpp
// Right in this order of modules and wrong in the other one: the strict check says so.
volatile int start = 1;
int early = start + 1;
int read_early() {
    return early; // EXPECT: initialization-order-fiasco read 4
}

int main() {
    return early > 9;
}
