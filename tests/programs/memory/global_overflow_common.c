// NATIVE: miss tentative definitions that the linker merges get no redzone from a compiler
__attribute__((common)) int merged[5];
volatile int end = 5;

int main(void) {
    merged[0] = 3;
    return merged[end]; // EXPECT: global-buffer-overflow read 4
}
