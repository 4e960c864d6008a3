// The processor's counter follows the virtual clock: what a sleep took can be told from it.
// STDOUT: 1 2 3 4
#include <stdint.h>
#include <stdio.h>
#include <unistd.h>
#include <x86intrin.h>

static uint64_t by_halves(void)
{
    uint64_t low, high;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    return high << 32 | low;
}

static uint64_t behind_a_fence(void)
{
    uint32_t low, high;
    __asm__ volatile("lfence\n\trdtscp" : "=a"(low), "=d"(high) : : "rcx", "memory");
    return (uint64_t)high << 32 | low;
}

static uint64_t together(void)
{
    uint64_t all;
    __asm__ volatile("rdtsc; shlq $32, %%rdx; orq %%rdx, %0" : "=a"(all) : : "rdx");
    return all;
}

int main(void)
{
    unsigned processor;
    uint64_t start = __rdtsc(), at[4];
    usleep(250000);
    at[0] = by_halves();
    usleep(250000);
    at[1] = behind_a_fence();
    usleep(250000);
    at[2] = together();
    usleep(250000);
    at[3] = __rdtscp(&processor);
    double quarter = (at[3] - start) / 4.0;
    for (int i = 0; i < 4; i++)
        printf("%.0f%c", (at[i] - start) / quarter, i < 3 ? ' ' : '\n');
    return 0;
}
