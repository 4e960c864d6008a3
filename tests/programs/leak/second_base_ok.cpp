// What is kept of an object is a pointer to its second base, also when only such interior pointers
// count.
// FLAGS: LSAN_OPTIONS=use_interior=0
// EXIT: 0
struct First {
    virtual ~First() = default;
    volatile int first = 1;
};

struct Second {
    virtual ~Second() = default;
    volatile int second = 2;
};

struct Both : First, Second {
    volatile int third = 3;
};

static Second *volatile kept;
static Both *volatile array;

int main(int argc, char **) {
    kept = new Both;
    array = new Both[argc + 1];
    return 0;
}
