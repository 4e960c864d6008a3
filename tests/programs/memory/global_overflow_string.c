// A string literal read one byte behind its terminator: objects of constants have redzones too.
#include <stddef.h>

volatile size_t offset = 6;

int main(void) {
    const char *text = "hello";
    return text[offset]; // EXPECT: global-buffer-overflow read 1
}
