// Inline variables of two modules, and two names of one variable.
// WITH: parts/inline_variables.cpp
// NATIVE: skip no native tool follows pointers
// STDOUT: 15 15 4 14
// EXIT: 0
#include "parts/inline_variables.hpp"

#include <cstdio>

extern "C" {
long counts[8] = {7, 7};
extern long same[8] __attribute__((alias("counts")));
long *const of_same = &same[1];
}

int main()
{
    long sum = *largest;
    for (long value : table<long>::values)
        sum += value;
    volatile int last = 3;
    long found = table<long>::begin[last];
    std::printf("%ld %ld %ld %ld\n", sum, sum_elsewhere(), found, of_same[-1] + same[1]);
    return counts[7];
}
