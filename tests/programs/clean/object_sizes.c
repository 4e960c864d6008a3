// What _FORTIFY_SOURCE asks the compiler for is the program's own sizes, redzones or not.
// STDOUT: 7 5 0
// STDOUT: 28 12
// STDOUT: 8 2 8
#include <stdio.h>

static struct { int head; char text[12]; int tail; } record;

__attribute__((noinline)) static void ask(int n) {
    char fixed[9];
    char variable[n];
    int rows[n][2];
    printf("%zu %zu %zu\n", __builtin_dynamic_object_size(variable, 0),
           __builtin_dynamic_object_size(&variable[2], 0),
           __builtin_dynamic_object_size(&variable[n + 1], 0));
    printf("%zu %zu\n", __builtin_dynamic_object_size(rows[n / 2 + 1], 0) + 4,
           __builtin_dynamic_object_size(&record.text[n - 3], 0));
    printf("%zu %zu %zu\n", __builtin_dynamic_object_size(&fixed[n - 6], 0),
           __builtin_dynamic_object_size(n > 9 ? fixed : &variable[5], 0),
           __builtin_dynamic_object_size(n > 6 ? &fixed[1] : variable, 0));
}

int main(void) {
    ask(7);
    return 0;
}
