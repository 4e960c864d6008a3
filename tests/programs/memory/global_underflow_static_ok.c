// EXIT: 0
// All of a variable that only one function knows.
volatile int one = 1;

static short *slot(int index) {
    static short slots[3];
    return &slots[index];
}

int main(void) {
    *slot(0) = 5;
    return *slot(one);
}
