// References to nothing.
struct thing {
    int value = 0;
};

thing *volatile nowhere;
volatile int sink;

static int value_of(const thing &) { return 3; }

int main() {
    sink = value_of(*nowhere); // EXPECT: null-pointer-use
    const thing &kept = *nowhere; // EXPECT: null-pointer-use
    sink = sizeof kept;
    return 0;
}
