#include "inline_variables.hpp"

long sum_elsewhere()
{
    long sum = *largest;
    for (long *at = table<long>::begin; at != table<long>::values + 4; at++)
        sum += *at;
    return sum;
}
