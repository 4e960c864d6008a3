// Results and variable arguments of functions, each used for its own object.
// EXIT: 0
// NATIVE: skip no native tool follows pointers
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static char *past(char *text, long n)
{
    return text + n;
}

__attribute__((noinline)) static int total(int n, ...)
{
    va_list list;
    va_start(list, n);
    int sum = 0;
    for (int i = 0; i < n; i++)
        sum += *va_arg(list, int *);
    va_end(list);
    return sum;
}

int main(void)
{
    char *text = malloc(32);
    memset(past(text, 30), 'a', 2);
    for (int i = 0; i < 3; i++) {
        int a = i, b = 2, c = 3;
        printf("%c %d\n", *past(text, 31), total(8, &a, &b, &c, &a, &b, &c, &a, &b));
    }
    void *block;
    if (posix_memalign(&block, 64, 100) == 0) {
        memset(block, 0, 100);
        free(block);
    }
    free(text);
    return 0;
}
