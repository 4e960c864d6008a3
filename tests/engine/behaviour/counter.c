static __thread int counts[2000] = {10};
int count(void) { return counts[1999] = ++counts[0]; }
