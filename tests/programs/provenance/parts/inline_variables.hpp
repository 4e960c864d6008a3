// Variables of which every module has a copy, and the linker keeps one.
#pragma once

template <class T> struct table {
    static inline T values[4] = {1, 2, 3, 4};
    static inline T *begin = values;
};

inline long large[500] = {5};
inline const long *const largest = large;

long sum_elsewhere();
