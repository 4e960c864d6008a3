// Tables indexed to their ends; a choice of two tables.
// EXIT: 0
static volatile int squares[64];
static volatile int cubes[64];

int main(int argc, char **argv) {
    int sum = 0;
    for (int i = 0; i < 64; i++) {
        volatile int *chosen = i % 3 == argc ? squares : cubes;
        chosen[i] = i;
        sum += chosen[63 - i] & 0;
    }
    (void)argv;
    return sum;
}
