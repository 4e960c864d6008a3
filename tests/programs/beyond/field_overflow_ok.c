// Member arrays, flexible ones and a union, each within its bounds.
// FLAGS: IRSAN_OPTIONS=check_object_bounds=2
// EXIT: 0
#include <stdlib.h>

struct Packet {
    char name[8];
    union {
        int words[4];
        char bytes[16];
    } body;
    int count;
    char rest[];
};
struct Old {
    int count;
    int tail[1];
};

int main(void) {
    struct Packet *packet = calloc(1, sizeof *packet + 100);
    struct Old *old = calloc(1, sizeof *old + 10 * sizeof(int));
    for (int i = 0; i < 8; i++)
        packet->name[i] = (char)i;
    for (int i = 0; i < 16; i++)
        packet->body.bytes[i] = (char)(packet->body.words[i / 4] & 0);
    for (int i = 0; i < 100; i++)
        packet->rest[i] = 1;
    for (int i = 0; i < 11; i++)
        old->tail[i] = i;
    free(old);
    free(packet);
    return 0;
}
