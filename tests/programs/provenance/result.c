// What a function returns belongs to the object it was given.
// NATIVE: skip no native tool follows pointers
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__attribute__((noinline)) static char *past(char *text, long n)
{
    return text + n;
}

int main(void)
{
    char *text = malloc(32); // ALLOCATED
    char *other = malloc(3000);
    memset(text, 'a', 32);
    memset(other, 'b', 3000);
    volatile long distance = other - text;
    memset(past(text, distance), 'c', 10); // EXPECT: access-outside-provenance write 10
    printf("%c\n", other[5]);
    free(text);
    free(other);
    return 0;
}
