// The base of the stack is the address of an early variable; a late one is compared with it.
// STDOUT: fine 7
#include <stdio.h>
#include <sys/resource.h>

static char *limit;

__attribute__((noinline)) static void begin(void *base) {
    struct rlimit stack;
    getrlimit(RLIMIT_STACK, &stack);
    if (stack.rlim_cur > 64 << 20) stack.rlim_cur = 64 << 20;
    limit = (char *)base - stack.rlim_cur / 16 * 15;
}

__attribute__((noinline)) static int depth_of(int n) {
    char here;
    if (&here <= limit) return -1000;
    return n ? depth_of(n - 1) + 1 : 0;
}

int main(void) {
    unsigned long words[4];
    begin(words);
    int depth = depth_of(7);
    puts(depth < 0 ? "nested too deeply" : depth == 7 ? "fine 7" : "wrong");
    return 0;
}
