// Functions that return on every way, or leave by an exception.
// EXIT: 0
volatile int seven = 7;

static int half(int n) {
    if (n % 2 == 0) return n / 2;
    throw n;
}

int main() {
    try {
        return half(seven);
    } catch (int n) {
        return half(n + 1) - 4;
    }
}
