// Sieve of Eratosthenes over bytes: many small writes with growing strides.
// SIZE: default 40, smoke 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LARGEST_LIMIT = 5000000 };

static size_t sieve(unsigned char *composite, size_t limit) {
    size_t primes = 0;
    memset(composite, 0, limit + 1);
    for (size_t number = 2; number <= limit; number++) {
        if (composite[number]) continue;
        primes += 1;
        for (size_t multiple = number * number; multiple <= limit; multiple += number) {
            composite[multiple] = 1;
        }
    }
    return primes;
}

int main(int argc, char **argv) {
    int rounds = argc > 1 ? atoi(argv[1]) : 40;
    unsigned char *composite = malloc(LARGEST_LIMIT + 1);
    size_t primes = 0, checksum = 0;
    if (!composite) return 1;
    for (int round = 0; round < rounds; round++) {
        size_t limit = LARGEST_LIMIT - (size_t)round;
        primes += sieve(composite, limit);
        while (composite[limit]) limit -= 1;
        checksum += limit;
    }
    printf("sieve %d %zu %zu\n", rounds, primes, checksum);
    free(composite);
    return 0;
}
