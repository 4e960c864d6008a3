// In C a value that is not returned is an error only when it is used.
// EXIT: 0
volatile int sink;

static int note(int n) {
    sink = n;
    if (n > 3) return n;
#pragma clang diagnostic ignored "-Wreturn-type"
}

int main(void) {
    note(2);
    return note(4) - 4;
}
