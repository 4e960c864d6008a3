// What the processor can do is known as natively, also to functions that are chosen by it.
// STDOUT: 1 1 6 12
#include <cpuid.h>
#include <stdio.h>

__attribute__((target_clones("avx2", "default"))) int tripled(int n) { return n * 3; }

static int chosen_plain(int n) { return n * 4; }
static int (*choose(void))(int) { return chosen_plain; }
int chosen(int) __attribute__((ifunc("choose")));

int main(void) {
    unsigned a, b, c, d;
    __cpuid_count(7, 0, a, b, c, d);
    int has_bmi2 = (b >> 8 & 1) != 0;
    __cpuid(1, a, b, c, d);
    printf("%d %d %d %d\n", (__builtin_cpu_supports("bmi2") != 0) == has_bmi2,
           (__builtin_cpu_supports("movbe") != 0) == (c >> 22 & 1), tripled(2), chosen(3));
}
