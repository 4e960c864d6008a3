// NATIVE: miss a definition that several modules may share gets no redzone from a compiler
inline int table[7] = {1, 2, 3};
volatile int end = 7;

int main() {
    return table[end]; // EXPECT: global-buffer-overflow read 4
}
