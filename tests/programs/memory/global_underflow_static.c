// NATIVE: miss it is the first variable of its section: natively no redzone lies before it
// The bytes before a variable that only one function knows.
volatile int one = 1;

static short *slot(int index) {
    static short slots[3];
    return &slots[index];
}

int main(void) {
    *slot(0) = 5;
    return *slot(-one); // EXPECT: global-buffer-overflow read 2
}
