// The fraction is cut off before it is looked at whether the value fits.
// EXIT: 0
volatile double big = 2147483647.9;
volatile float minus = -0.9f;
volatile long double huge = 9e18L;
volatile long sink;

int main(void) {
    sink = (int)big;
    sink = (unsigned)minus;
    sink = (long)huge;
    sink = (unsigned char)(big / 1e7);
    sink = (long)-9223372036854775808.0;
    sink = (unsigned long)1.8e19 != 0;
    return (float)big < 0;
}
