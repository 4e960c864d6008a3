// The remainder of a division by zero, of an unsigned type.
volatile unsigned long zero, sink = 9;

int main(void) {
    sink = sink % zero; // EXPECT: integer-divide-by-zero // EXPECT: FPE
    return 0;
}
