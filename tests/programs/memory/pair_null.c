// FLAGS: ASAN_OPTIONS=detect_invalid_pointer_pairs=2
// NATIVE: miss it needs -fsanitize=pointer-compare when it is compiled
// At level 2 null is no object either.
int object;
int *volatile pointer = &object, *volatile nothing;

int main(void) {
    return nothing > pointer; // EXPECT: invalid-pointer-pair
}
