// A constant local variable is written to: it lies where other variables lie.
// EXIT: 0
volatile int sink;

int main(void) {
    const int limit = 3;
    *(int *)&limit = 4;
    sink = limit;
    return sink < 3;
}
