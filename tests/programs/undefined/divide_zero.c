// An integer is divided by zero; the processor stops the program.
volatile int zero, sink;

int main(void) {
    sink = 7 / zero; // EXPECT: integer-divide-by-zero // EXPECT: FPE
    return 0;
}
