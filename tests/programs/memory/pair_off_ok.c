// EXIT: 0
// Without the flag nobody asks about pairs of pointers.
int left[10], right[10];
int *volatile low = left, *volatile high = right;

int main(void) {
    return high - low == 1 || (high < low) == (low < high);
}
