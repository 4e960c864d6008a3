// FLAGS: ASAN_OPTIONS=check_initialization_order=1
// WITH: parts/init_order_late.cpp
// A variable of the next module is read before its initialiser has run.
extern int late;
int early = late + 1; // EXPECT: initialization-order-fiasco read 4
int read_early() { return early; }

int main() {
    return early > 9;
}
