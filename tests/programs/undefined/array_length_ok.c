// Variable-length arrays of one element and of many.
// EXIT: 0
volatile int one = 1, many = 100;
volatile unsigned long sink;

int main(void) {
    int n = one;
    char small[n];
    small[0] = 1;
    n = many;
    int rows[n][n];
    rows[many - 1][many - 1] = small[0];
    sink = sizeof rows + rows[99][99];
    return 0;
}
