// What the program has promised not to reach is reached: the run ends there.
volatile int five = 5;

static int digit(int n) {
    switch (n) {
    case 0: return '0';
    case 1: return '1';
    default: __builtin_unreachable(); // EXPECT: unreachable-call
    }
}

int main(void) { return digit(five) == 0; }
