// FLAGS: ASAN_OPTIONS=detect_invalid_pointer_pairs=2
// NATIVE: miss it needs -fsanitize=pointer-subtract when it is compiled
// Two bytes behind the end, in the same eight bytes of memory: no distance from the start.
char table[5];
char *volatile low = table, *volatile high = table + 7;
volatile long distance;

int main(void) {
    distance = high - low; // EXPECT: invalid-pointer-pair
    return 0;
}
