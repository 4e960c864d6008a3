// A row of a matrix indexed into the next row.
// FLAGS: IRSAN_OPTIONS=check_object_bounds=2
// ONLY: -O0 later levels count in bytes
// NATIVE: miss the next row is part of the same object
static volatile int grid[4][8];

int main(void) {
    volatile int row = 1;
    volatile int column = 12;
    return grid[row][column]; // EXPECT: intra-object-overflow read 4
}
