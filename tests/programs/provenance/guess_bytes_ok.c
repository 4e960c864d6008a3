// Numbers that are put together of a pointer's bytes, of halves, of vectors, of what a pipe and a
// file return.
// EXIT: 0
// STDOUT: 1 1 1 1 1 1 1
// NATIVE: skip no native tool follows pointers
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef unsigned char bytes16 __attribute__((vector_size(16)));

struct __attribute__((packed)) odd {
    char kind;
    long *pointer;
    char rest[7];
};

struct pair {
    long *pointer;
    double real;
};

__attribute__((noinline)) static long of_bytes(const unsigned char *bytes)
{
    uintptr_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uintptr_t)bytes[i] << 8 * i;
    return *(long *)number;
}

__attribute__((noinline)) static long of_halves(const uint32_t *halves)
{
    return *(long *)((uintptr_t)halves[1] << 32 | halves[0]);
}

__attribute__((noinline)) static long of_vector(const bytes16 *from)
{
    bytes16 vector = ~*from;
    uintptr_t number = 0;
    for (int i = 0; i < 8; i++)
        number |= (uintptr_t)(unsigned char)~vector[i] << 8 * i;
    return *(long *)number;
}

__attribute__((noinline)) static long of_real(const double *real)
{
    double copy = *real;
    uintptr_t number;
    memcpy(&number, &copy, sizeof number);
    return *(long *)(number + 8 - 8);
}

__attribute__((noinline)) static long through_pipe(long *const *from)
{
    int ends[2];
    uintptr_t number = 0;
    if (pipe(ends) || write(ends[1], from, 8) != 8 || read(ends[0], &number, 8) != 8)
        return 0;
    return *(long *)number;
}

__attribute__((noinline)) static long through_file(long *const *from)
{
    uintptr_t number = 0;
    FILE *file = tmpfile();
    if (!file || fwrite(from, 4, 2, file) != 2)
        return 0;
    rewind(file);
    if (fread(&number, 8, 1, file) != 1)
        return 0;
    fclose(file);
    return *(long *)number;
}

static long *new_one(void)
{
    long *made = malloc(sizeof *made);
    *made = 1;
    return made;
}

int main(void)
{
    long **words = malloc(2 * sizeof *words);
    struct odd *odd = calloc(1, sizeof *odd);
    words[0] = new_one();
    odd->pointer = new_one();
    printf("%ld ", of_bytes((unsigned char *)words));
    printf("%ld ", of_bytes((unsigned char *)&odd->pointer));
    words[0] = new_one();
    printf("%ld ", of_halves((uint32_t *)words));
    words[0] = new_one();
    words[1] = 0;
    printf("%ld ", of_vector((bytes16 *)words));
    words[0] = new_one();
    printf("%ld ", of_real((double *)words));
    words[0] = new_one();
    printf("%ld ", through_pipe(words));
    words[0] = new_one();
    printf("%ld\n", through_file(words));
    return 0;
}
