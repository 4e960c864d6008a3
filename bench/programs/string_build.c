// String building: lines are made by snprintf, appended to a growing text and searched by strstr.
// SIZE: default 480, smoke 8
// THREADS: 1, 4
#include "work.h"

#include <string.h>

struct text {
    char *bytes;
    size_t length, room;
};

static void append(struct text *text, const char *added) {
    size_t length = strlen(added);
    if (text->length + length + 1 > text->room) {
        text->room = (text->room + length + 1) * 2;
        text->bytes = realloc(text->bytes, text->room);
        if (!text->bytes) exit(1);
    }
    memcpy(text->bytes + text->length, added, length + 1);
    text->length += length;
}

static unsigned long work(int self, long size) {
    static const char *const names[] = {"north", "east", "south", "west"};
    uint64_t random = seed_of(self);
    unsigned long sum = 0;
    for (long round = 0; round < size; round++) {
        struct text text = {NULL, 0, 0};
        for (int i = 0; i < 1000; i++) {
            uint64_t drawn = next_random(&random);
            char line[48];
            snprintf(line, sizeof line, "%d:%s", (int)(drawn >> 50), names[drawn & 3]);
            append(&text, line);
            append(&text, drawn >> 63 ? ", " : ";\n");
        }
        for (const char *at = text.bytes; (at = strstr(at, "south;")); at++) sum++;
        for (size_t i = 0; i < text.length; i++) sum += text.bytes[i] == ';';
        sum += text.length;
        free(text.bytes);
    }
    return sum;
}

int main(int argc, char **argv) {
    return run_all("string_build", argc > 1 ? atol(argv[1]) : 480);
}
