// A matrix read row by row, and as one object through a pointer.
// FLAGS: IRSAN_OPTIONS=check_object_bounds=2
// EXIT: 0
static volatile int grid[4][8];

int main(void) {
    int sum = 0;
    for (int row = 0; row < 4; row++)
        for (int column = 0; column < 8; column++)
            sum += grid[row][column];
    volatile int *all = (volatile int *)grid;
    for (int i = 0; i < 32; i++)
        sum += all[i];
    return sum;
}
