// Variable-length arrays and alloca, in a loop and in recursion, of many sizes.
// STDOUT: 5050 2016 45
#include <alloca.h>
#include <stdio.h>
#include <string.h>

static int __attribute__((noinline)) sum_vla(int count) {
    int numbers[count];
    int sum = 0;
    for (int i = 0; i < count; i++) numbers[i] = i;
    for (int i = 0; i < count; i++) sum += numbers[i];
    return sum;
}

static int __attribute__((noinline)) sum_alloca(int count) {
    unsigned char *bytes = alloca((size_t)count);
    int sum = 0;
    memset(bytes, 0, (size_t)count);
    for (int i = 0; i < count; i++) bytes[i] = (unsigned char)i;
    for (int i = 0; i < count; i++) sum += bytes[i];
    return sum;
}

static int __attribute__((noinline)) descend(int depth) {
    char frame[depth + 1];
    memset(frame, depth, sizeof frame);
    return depth == 0 ? 0 : frame[depth] + descend(depth - 1);
}

int main(int argc, char **argv) {
    (void)argv;
    printf("%d %d %d\n", sum_vla(100 + argc), sum_alloca(63 + argc), descend(8 + argc));
    return 0;
}
