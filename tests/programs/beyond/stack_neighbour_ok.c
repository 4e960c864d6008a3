// Local arrays, each indexed from its own first to its own last element.
// EXIT: 0
#include <stdint.h>

int main(void) {
    volatile int first[100];
    volatile int second[100];
    for (int i = 0; i < 100; i++)
        first[i] = second[99 - i] = i;
    volatile int *end = first + 100;
    int sum = 0;
    while (end != first)
        sum += *--end - 50;
    return sum + second[99] + 50;
}
