// Too little room for the type that is accessed; the optimiser knows how much there is.
// ONLY: -O1 without the optimiser no object has a known size
struct wide {
    long first, second;
};

long small[1];
volatile int zero;

int main(void) {
    struct wide *wide = (struct wide *)small;
    long sum = wide->first; // EXPECT: insufficient-object-size
    return (int)(sum + zero);
}
