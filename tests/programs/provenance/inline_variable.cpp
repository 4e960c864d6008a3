// From an inline variable into another one; both are in two modules.
// WITH: parts/inline_variables.cpp
// NATIVE: skip no native tool follows pointers
#include "parts/inline_variables.hpp"

#include <cstdio>

int main()
{
    volatile long distance = large - table<long>::values;
    std::printf("%ld\n", sum_elsewhere());
    std::printf("%ld\n", table<long>::begin[distance]); // EXPECT: access-outside-provenance read 8
    return 0;
}
