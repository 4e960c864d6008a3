// Integer and floating arithmetic with 8 to 128 bits, rotations, popcount, and the maths library.
// STDOUT: 200 65535 -1 4294967295
// STDOUT: 340282366920938463463374607431768211455 high 18446744073709551615
// STDOUT: 12 27 3 0x34567812
// STDOUT: 1.4142 0.8415 8.0000 2.7183 -3 -4
#include <math.h>
#include <stdint.h>
#include <stdio.h>

static void print_wide(unsigned __int128 value) {
    char digits[40];
    int at = 39;
    digits[at] = '\0';
    do {
        digits[--at] = (char)('0' + (int)(value % 10));
        value /= 10;
    } while (value);
    printf("%s", digits + at);
}

int main(int argc, char **argv) {
    (void)argv;
    volatile uint8_t byte = 100;
    volatile uint16_t half = 0;
    volatile int32_t word = INT32_MAX;
    volatile uint32_t pattern = 0x12345678;
    printf("%d %d %d %u\n", (uint8_t)(byte + byte), (uint16_t)(half - 1), word / -word,
           (uint32_t)(0u - (unsigned)argc));
    unsigned __int128 wide = ~(unsigned __int128)0;
    print_wide(wide);
    printf(" high %llu\n", (unsigned long long)(wide >> 64));
    printf("%d %d %d 0x%08x\n", __builtin_popcount(pattern) - 1, __builtin_clz(16u),
           __builtin_ctz(pattern), (pattern << 8) | (pattern >> 24));
    volatile double two = 2, minus = -3.5;
    printf("%.4f %.4f %.4f %.4f %d %.0f\n", sqrt(two), sin(two / 2), pow(two, 3), exp(two / 2),
           (int)minus, floor(minus));
    return 0;
}
