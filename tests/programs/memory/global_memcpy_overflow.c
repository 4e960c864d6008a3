// A library function leaves a variable with static storage.
#include <string.h>

char target[12];
static char source[16] = "fifteen letters";
volatile size_t size = 16;

int main(void) {
    memcpy(target, source, size); // EXPECT: global-buffer-overflow write 16
    return target[0] == 'x';
}
