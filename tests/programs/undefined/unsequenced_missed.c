// A variable is modified twice without an order between: the compiler warns, and takes one order.
// EXIT: 0
#pragma clang diagnostic ignored "-Wunsequenced"
volatile int sink;

int main(void) {
    int i = 3;
    i = i++ + 1;
    sink = i;
    return sink < 4;
}
