// EXIT: 0
// Tentative definitions that the linker merges: every byte of the largest one may be used.
__attribute__((common)) int merged[5];
__attribute__((common)) char byte;
volatile int last = 4;

int main(void) {
    byte = 1;
    merged[last] = byte;
    return merged[0] + merged[last] - byte;
}
