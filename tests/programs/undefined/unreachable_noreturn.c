// A function that is declared never to return does.
volatile int sink;

static void fail(int code) __attribute__((noreturn, noinline));
#pragma clang diagnostic ignored "-Winvalid-noreturn"
static void fail(int code) {
    sink = code;
} // EXPECT: unreachable-call

int main(void) { fail(3); }
