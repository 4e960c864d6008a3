// A null pointer is read through: the check says so, and then the processor.
int *volatile nowhere;

int main(void) {
    return *nowhere; // EXPECT: null-pointer-use // EXPECT: SEGV
}
