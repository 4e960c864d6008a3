// All ways to get and give memory, each used as it should be, many times over few slots.
// SANITIZE: gwp-asan
// FLAGS: SCUDO_OPTIONS=GWP_ASAN_SampleRate=1:GWP_ASAN_MaxSimultaneousAllocations=5
// STDOUT: 4000
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <new>

int main() {
    long total = 0;
    for (int i = 0; i < 500; i++) {
        unsigned n = 1 + i * 7 % 4096;
        char *blocks[] = {
            (char *)malloc(n), (char *)calloc(n, 1), (char *)realloc(malloc(3), n),
            (char *)aligned_alloc(64, (n + 63) / 64 * 64), strdup("text"), (char *)malloc(0),
        };
        for (unsigned k = 0; k < 4; k++) memset(blocks[k], 1, n);
        for (char *block : blocks) free(block), total++;
        int *one = new int(5), *many = new (std::nothrow) int[n];
        many[n - 1] = *one;
        delete one;
        delete[] many;
        total += 2;
    }
    std::printf("%ld\n", total);
    return 0;
}
