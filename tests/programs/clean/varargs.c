// Variadic functions: every class of argument, va_copy, and a va_list handed on to vsnprintf.
// STDOUT: 6 3.75 -2
// STDOUT: sum 31 twice
// STDOUT: [mixed: 1 2.5 text x 9000000000]
#include <stdarg.h>
#include <stdio.h>

static double total(const char *types, ...) {
    va_list arguments;
    double sum = 0;
    va_start(arguments, types);
    for (const char *type = types; *type; type++) {
        if (*type == 'i') sum += va_arg(arguments, int);
        if (*type == 'd') sum += va_arg(arguments, double);
        if (*type == 'l') sum += (double)va_arg(arguments, long);
    }
    va_end(arguments);
    return sum;
}

static int sum_twice(int count, ...) {
    va_list arguments, again;
    int first = 0, second = 0;
    va_start(arguments, count);
    va_copy(again, arguments);
    for (int i = 0; i < count; i++) first += va_arg(arguments, int);
    for (int i = 0; i < count; i++) second += va_arg(again, int);
    va_end(again);
    va_end(arguments);
    return first == second ? first : -1;
}

static void bracketed(const char *format, ...) {
    char text[80];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    printf("[%s]\n", text);
}

int main(void) {
    printf("%g %g %g\n", total("iii", 1, 2, 3), total("did", 0.5, 3, 0.25), total("il", 3, -5L));
    printf("sum %d twice\n", sum_twice(10, 1, 2, 3, 4, 5, 6, 7, 1, 1, 1));
    bracketed("mixed: %d %.1f %s %c %lld", 1, 2.5, "text", 'x', 9000000000LL);
    return 0;
}
