// The scanf family: numbers, sets, widths, allocated strings, counts.
#include <assert.h>
#include <inttypes.h>
#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int parse(const char *text, const char *format, ...) {
    va_list list;
    va_start(list, format);
    int n = vsscanf(text, format, list);
    va_end(list);
    return n;
}

int main(void) {
    int day, year, used;
    char month[8], rest[16];
    assert(sscanf("  14 March 2024 tail", "%d %7s %d%n", &day, month, &year, &used) == 3);
    printf("%d %s %d %d\n", day, month, year, used);
    unsigned hex, octal;
    long long big;
    short little;
    assert(sscanf("0x1f 777 -9000000000 -7", "%x %o %lld %hd", &hex, &octal, &big, &little) == 4);
    printf("%u %u %lld %d\n", hex, octal, big, little);
    double d;
    float f;
    long double l;
    assert(sscanf("1.5e3,0x1p-2;inf", "%lf,%f;%Lf", &d, &f, &l) == 3);
    printf("%g %g %d\n", d, (double)f, isinf((double)l) != 0);
    char key[16], value[16];
    assert(sscanf("name = \"a value\";", "%15[a-z] = \"%15[^\"]\"", key, value) == 2);
    printf("[%s][%s]\n", key, value);
    char *word = NULL, *set = NULL;
    assert(sscanf("allocated 12345x", "%ms %m[0-9]", &word, &set) == 2);
    printf("%s %s\n", word, set);
    free(word), free(set);
    char c[3] = "??";
    assert(sscanf("ab", "%2c", c) == 1 && c[0] == 'a' && c[1] == 'b' && c[2] == 0);
    assert(sscanf("12 skipped 34", "%d %*s %d", &day, &year) == 2 && year == 34);
    assert(sscanf("x", "%d", &day) == 0 && sscanf("", "%d", &day) == EOF);
    intmax_t wide;
    size_t size;
    ptrdiff_t difference;
    assert(sscanf("1 2 3", "%jd %zu %td", &wide, &size, &difference) == 3 && wide + (intmax_t)size + difference == 6);
    uint64_t fixed;
    assert(sscanf("18446744073709551615", "%" SCNu64, &fixed) == 1 && fixed == UINT64_MAX);
    assert(parse("7-8", "%d-%d", &day, &year) == 2 && day == 7 && year == 8);
    FILE *file = tmpfile();
    fputs("3\n1.5 one\n2.5 two\n3.5 a_long_word_here\n", file);
    rewind(file);
    int count;
    assert(fscanf(file, "%d", &count) == 1);
    double sum = 0;
    for (int i = 0; i < count; i++) {
        assert(fscanf(file, "%lf %15s", &d, rest) == 2);
        sum += d;
    }
    fclose(file);
    printf("%g %s\n", sum, rest);
    return sum == 7.5 ? 0 : 1;
}
