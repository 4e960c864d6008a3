// EXIT: 0
// A library function fills a variable with static storage.
#include <string.h>

char target[12];
static char source[16] = "fifteen letters";
volatile size_t size = 12;

int main(void) {
    memcpy(target, source, size);
    return target[0] == 'x';
}
