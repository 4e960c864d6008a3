// A function gets the middle of a large array on the stack, and stays within it.
// EXIT: 0
static __attribute__((noinline)) int far_from(int *middle, long index) {
    return middle[index];
}

int main(void) {
    volatile int first[4096] = {0};
    volatile int second[4096] = {0};
    volatile int *lower = (long)first < (long)second ? first : second;
    volatile int *upper = (long)first < (long)second ? second : first;
    volatile long distance = upper - lower;
    int sum = 0;
    for (int turn = 0; turn < 64; turn++) {
        sum += far_from((int *)lower + 2048, turn);
        sum += far_from((int *)lower + 2048, -turn);
    }
    return sum + far_from((int *)lower + 2048, distance / 4);
}
