// EXIT: 0
// The terminator of a string literal belongs to it; two equal literals may share their place.
#include <stddef.h>
#include <string.h>

volatile size_t offset = 5;

int main(void) {
    const char *text = "hello", *same = "hello";
    return text[offset] + same[offset] + (int)strlen(text) - (int)strlen(same);
}
