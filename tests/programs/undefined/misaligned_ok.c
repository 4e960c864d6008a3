// Bytes at any place by memcpy, a packed structure, and addresses that are aligned.
// EXIT: 0
#include <string.h>

struct __attribute__((packed)) record {
    char tag;
    int value;
};

char bytes[64] __attribute__((aligned(16)));
volatile int one = 1, sink;

int main(void) {
    int number;
    memcpy(&number, bytes + one, sizeof number);
    struct record *record = (struct record *)(bytes + 3 * one);
    record->value = 5;
    sink = record->value + number;
    sink = *(int *)(bytes + 4 * one);
    sink = *(double *)(bytes + 8 * one) > 0;
    return 0;
}
