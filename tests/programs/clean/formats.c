// printf conversions: widths, signs, bases, floats, long doubles, and snprintf that cuts off.
// STDOUT: [   42] [42   ] [00042] [+42] [2a] [0X2A]
// STDOUT: [3.142] [1e+10] [0.1] [-inf] [1.5]
// STDOUT: [abc] [  abc] [ab] [%] [18446744073709551615] [-128]
// STDOUT: 12 bytes wanted, kept "123456789"
#include <math.h>
#include <stdio.h>

int main(void) {
    char small[10];
    printf("[%5d] [%-5d] [%05d] [%+d] [%x] [%#X]\n", 42, 42, 42, 42, 42u, 42u);
    printf("[%.3f] [%g] [%g] [%f] [%.1Lf]\n", 3.14159, 1e10, 0.1, (double)-INFINITY, 1.5L);
    printf("[%s] [%5s] [%.2s] [%%] [%lu] [%hhd]\n", "abc", "abc", "abc", ~0ul, (signed char)-128);
    volatile long number = 123456789012;
    int wanted = snprintf(small, sizeof small, "%ld", number);
    printf("%d bytes wanted, kept \"%s\"\n", wanted, small);
    return 0;
}
