// Division by numbers that are merely small.
// CFLAGS: -fsanitize=float-divide-by-zero
// EXIT: 0
volatile double tiny = 1e-300;
volatile float sink;

int main(void) {
    sink = (float)(1.0 / tiny);
    sink = sink * 0;
    return 0;
}
