// Floating-point division by zero, which IEEE 754 defines: checked when asked for.
// CFLAGS: -fsanitize=float-divide-by-zero
volatile double zero;
volatile float sink;

int main(void) {
    sink = (float)(1.0 / zero); // EXPECT: float-divide-by-zero
    sink = sink / (float)zero; // EXPECT: float-divide-by-zero
    return 0;
}
