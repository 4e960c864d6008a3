// A variable on the stack is read as a wider type.
// ONLY: -O1 without the optimiser no object has a known size
volatile int sink;

int main(void) {
    int narrow[1] __attribute__((aligned(8))) = {3};
    int *volatile known = narrow;
    sink = *known;
    long *wide = (long *)narrow;
    if (sink == 4) return (int)*wide;
    return *wide > 0 ? 0 : 0; // EXPECT: insufficient-object-size
}
