// Other definitions of weak_ok.c's globals.
long bigger_wins[10] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 10};
long smaller_wins[2] = {7, 8};
long behind[20] = {1, 2, 3};
long common_size[30];
__attribute__((weak)) long mine[9] = {1, 2, 3};

long weak_sum(void)
{
    volatile int last = 29;
    common_size[last] = 3;
    return common_size[last] + bigger_wins[last - 20] + behind[2] + smaller_wins[1] - 2;
}
