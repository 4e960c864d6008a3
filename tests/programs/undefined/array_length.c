// Variable-length arrays without an element, or with less than none.
volatile int zero, minus_three = -3;
volatile unsigned long sink;

int main(void) {
    int n = zero;
    char empty[n]; // EXPECT: non-positive-vla-index
    sink = sizeof empty;
    int less = minus_three;
    typedef int row[less]; // EXPECT: non-positive-vla-index
    sink = sizeof(row);
    return 0;
}
