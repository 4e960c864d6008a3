// WITH: parts/odr_common.c
// NATIVE: miss the linker takes the full definition, of four elements, for both
// The other module believes that the array has sixteen elements.
int buffer[4] = {1}; // EXPECT: odr-violation
int last_of_buffer(int index);

int main(void) {
    return last_of_buffer(0) + buffer[3] == 9;
}
