// NATIVE: miss a definition that another one may replace gets no redzone from a compiler
__attribute__((weak)) int defaults[3] = {1, 2, 3};
volatile int end = 3;

int main(void) {
    return defaults[end]; // EXPECT: global-buffer-overflow read 4
}
