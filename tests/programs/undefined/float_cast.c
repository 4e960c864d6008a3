// Floating-point values that the integer type cannot hold.
volatile double big = 1e10;
volatile float minus = -1.5f, zero;
volatile long double huge = 1e30L;
volatile long sink;

int main(void) {
    sink = (int)big; // EXPECT: float-cast-overflow
    sink = (unsigned char)(big / 1e7); // EXPECT: float-cast-overflow
    sink = (unsigned)minus; // EXPECT: float-cast-overflow
    sink = (long)huge; // EXPECT: float-cast-overflow
    sink = (int)(zero / zero); // EXPECT: float-cast-overflow
    sink = (short)(1 / zero); // EXPECT: float-cast-overflow
    return 0;
}
