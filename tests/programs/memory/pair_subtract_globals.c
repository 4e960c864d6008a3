// FLAGS: ASAN_OPTIONS=detect_invalid_pointer_pairs=1
// NATIVE: miss it needs -fsanitize=pointer-subtract when it is compiled
// The distance of two variables means nothing.
int left[10], right[10];
int *volatile low = left, *volatile high = right;

int main(void) {
    long distance = high - low; // EXPECT: invalid-pointer-pair
    return distance == 1;
}
