// Numbers and text: strtol and its kin, printf forms, floating-point environment, div, bytes.
#include <assert.h>
#include <byteswap.h>
#include <endian.h>
#include <errno.h>
#include <fenv.h>
#include <float.h>
#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static long parse(const char *text, int base, int *error, const char **rest) {
    char *end;
    errno = 0;
    long value = strtol(text, &end, base);
    *error = errno, *rest = end;
    return value;
}

int main(void) {
    const char *texts[] = {"42", "  -17rest", "0x1F", "077", "99999999999999999999", "none", "zz"};
    const int bases[] = {10, 10, 0, 0, 10, 10, 36};
    for (int i = 0; i < 7; i++) {
        int error;
        const char *rest;
        long value = parse(texts[i], bases[i], &error, &rest);
        printf("%ld%s '%s'\n", value, error == ERANGE ? " range" : "", rest);
    }
    char *end;
    assert(strtod("1e400", &end) == HUGE_VAL && errno == ERANGE && *end == 0);
    assert(strtod("0x1.8p3z", &end) == 12.0 && *end == 'z' && isnan(strtod("nan", NULL)));
    assert(strtoull("18446744073709551615", NULL, 10) == UINT64_MAX && strtoimax("-5", NULL, 10) == -5 && atoll("12x") == 12);
    printf("%5d|%-5d|%05d|%+d|% d|%x|%#o|%.3s|%*d|%c\n", 42, 42, 42, 42, 42, 255, 8, "abcdef", 6, 7, 'q');
    printf("%g %g %.3f %e %a %Lf\n", 0.0001, 1e20, M_PI, 12345.678, 1.0, 2.5L);
    printf("%hhd %hd %ld %lld %zu %jd\n", (signed char)-1, (short)-2, -3L, -4LL, (size_t)5, (intmax_t)6);
    char small[6];
    int n = snprintf(small, sizeof small, "%s-%d", "text", 12345);
    printf("%d [%s]\n", n, small);
    n = 0;
    printf("12345%n67\n", &n);
    assert(n == 5);

    div_t d = div(-17, 5);
    ldiv_t l = ldiv(100, 7);
    printf("%d %d %ld %ld %d\n", d.quot, d.rem, l.quot, l.rem, abs(INT_MIN + 1) == INT_MAX);
    fesetround(FE_UPWARD);
    volatile double one = 1.0, three = 3.0, up = one / three;
    fesetround(FE_TONEAREST);
    volatile double near = one / three;
    feclearexcept(FE_ALL_EXCEPT);
    volatile double inexact = one / three, zero = 0, infinite = one / zero;
    printf("%d %d %d %d\n", up > near, inexact == near, isinf(infinite), fetestexcept(FE_DIVBYZERO) != 0);
    int exponent;
    double whole, mantissa = frexp(48.0, &exponent), part = modf(3.75, &whole);
    printf("%g %d %g %g %ld %g\n", mantissa, exponent, whole, part, lrint(2.5), remainder(7, 4));
    printf("%g %g %g %d\n", fma(2, 3, 4), copysign(1, -0.0), nextafter(1, 2) - 1 == DBL_EPSILON ? 1.0 : 0.0, ilogb(1024));
    printf("%x %llx %x\n", bswap_32(0x01020304), (unsigned long long)htobe64(1), le16toh(0x1234));
    return 0;
}
