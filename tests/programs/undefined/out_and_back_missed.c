// A pointer leaves its array and comes back: undefined as soon as it is further than one past the
// end, but only the address is looked at, and that is in order at each access.
// EXIT: 0
static int numbers[4] = {1, 2, 3, 4};
int *volatile start = numbers;
volatile int sink;

int main(void) {
    int *at = start + 40;
    at -= 39;
    sink = *at;
    return sink != 2;
}
