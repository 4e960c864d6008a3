// Numbers of pointers of which nothing is known, and numbers that assembly and functions that are
// not checked make of pointers.
// EXIT: 0
// STDOUT: 1 2 2 1 1 1
// NATIVE: skip no native tool follows pointers
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

#define UNSEEN __attribute__((noinline, disable_sanitizer_instrumentation))

static long *volatile shelf;

UNSEEN static void put(long **place, long *pointer)
{
    *place = pointer;
}

UNSEEN static uintptr_t number_of(long *pointer)
{
    return (uintptr_t)pointer;
}

UNSEEN static long *new_one(void)
{
    long *made = malloc(2 * sizeof *made);
    made[0] = 1;
    made[1] = 2;
    return made;
}

__attribute__((noinline)) static uintptr_t tagged(long *pointer)
{
    return (uintptr_t)pointer | 1;
}

__attribute__((noinline)) static long at(uintptr_t number)
{
    return *(long *)(number & ~(uintptr_t)1);
}

int main(void)
{
    long *place = 0;
    put(&place, new_one()); // memory that is not seen to be written
    printf("%ld ", at(tagged(place)));
    put(&place, new_one() + 1); // inside of the block, nothing is known of it
    printf("%ld ", at(tagged(place)));
    put(&place, new_one() + 2); // its end
    printf("%ld ", at(tagged(place) - 8));
    printf("%ld ", at(number_of(new_one())));
    shelf = new_one();
    uintptr_t number;
    __asm__("" : "=r"(number) : "0"(shelf));
    printf("%ld ", at(number));
    long *kept = new_one();
    __asm__("movq %1, %0" : "=r"(number) : "m"(kept));
    printf("%ld\n", at(number));
    return 0;
}
