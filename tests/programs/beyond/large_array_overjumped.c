// A function gets the middle of a large array on the stack, and goes to the array behind it.
// NATIVE: miss the neighbour is another whole object, no redzone is touched
static __attribute__((noinline)) int far_from(int *middle, long index) {
    return middle[index]; // EXPECT: stack-buffer-overflow read 4
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
    return sum + far_from((int *)lower + 2048, distance);
}
