// Two pointers that promise not to meet do.
// EXIT: 0
volatile int sink;

__attribute__((noinline)) static void add(int *restrict to, const int *restrict from) {
    *to += *from;
    *to += *from;
}

int main(void) {
    int number = 1;
    add(&number, &number);
    sink = number;
    return sink < 2;
}
