// A float is read as an integer through a pointer: the type of the memory is known to nobody.
// EXIT: 0
float real = 1.0f;
float *volatile place = &real;
volatile unsigned sink;

int main(void) {
    sink = *(unsigned *)place;
    return sink == 0;
}
