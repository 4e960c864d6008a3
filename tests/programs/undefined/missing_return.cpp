// Control leaves the end of a function that has a value: the run ends there.
volatile int seven = 7;

static int half(int n) { // EXPECT: missing-return
    if (n % 2 == 0) return n / 2;
}

int main() { return half(seven) == 3; }
