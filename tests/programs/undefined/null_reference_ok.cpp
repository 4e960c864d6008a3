// References to objects, and the deletion of nothing.
// EXIT: 0
struct thing {
    int value = 0;
    int constant() const { return 4; }
};

thing *volatile nowhere;
volatile int sink;

static int value_of(const thing &seen) { return seen.value; }

int main() {
    thing here;
    thing *volatile at = &here;
    sink = value_of(*at) + at->constant();
    delete nowhere;
    return 0;
}
