// LZ77 with a hash of three bytes: compresses, decompresses, compares. Byte loads everywhere.
// SIZE: default 40, smoke 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { BLOCK_BYTES = 1 << 20 };
enum { HASH_BITS = 15, MIN_MATCH = 4, MAX_MATCH = 130, WINDOW = 65535, MAX_LITERALS = 128 };

static void write_input(unsigned char *input, size_t size_bytes, unsigned state) {
    for (size_t at = 0; at < size_bytes;) {
        state = state * 1664525u + 1013904223u;
        size_t run = 4 + (state >> 27), back = 1 + ((state >> 8) & 4095);
        for (size_t i = 0; i < run && at < size_bytes; i++, at++) {
            state = state * 1664525u + 1013904223u;
            int copies = back <= at && run > 12;
            input[at] = copies ? input[at - back] : (unsigned char)('a' + (state >> 28));
        }
    }
}

static unsigned hash_of(const unsigned char *bytes) {
    unsigned key = bytes[0] | (unsigned)bytes[1] << 8 | (unsigned)bytes[2] << 16;
    return (key * 2654435761u) >> (32 - HASH_BITS);
}

static size_t match_length(const unsigned char *a, const unsigned char *b, size_t limit) {
    size_t length = 0;
    while (length < limit && a[length] == b[length]) length++;
    return length;
}

static size_t put_literals(unsigned char *output, const unsigned char *from, size_t count) {
    unsigned char *start = output;
    while (count > 0) {
        size_t part = count < MAX_LITERALS ? count : MAX_LITERALS;
        *output++ = (unsigned char)(part - 1);
        memcpy(output, from, part);
        output += part;
        from += part;
        count -= part;
    }
    return (size_t)(output - start);
}

static size_t compress(const unsigned char *input, size_t size_bytes, unsigned char *output) {
    static size_t recent[1 << HASH_BITS];
    size_t at = 0, literals_from = 0, written = 0;
    memset(recent, 0, sizeof recent);
    while (at + MIN_MATCH <= size_bytes) {
        size_t *slot = &recent[hash_of(input + at)], candidate = *slot, length = 0;
        size_t limit = size_bytes - at < MAX_MATCH ? size_bytes - at : MAX_MATCH;
        *slot = at;
        if (candidate < at && at - candidate <= WINDOW) {
            length = match_length(input + candidate, input + at, limit);
        }
        if (length < MIN_MATCH) {
            at += 1;
            continue;
        }
        written += put_literals(output + written, input + literals_from, at - literals_from);
        output[written++] = (unsigned char)(128 + length - 3);
        output[written++] = (unsigned char)((at - candidate) & 255);
        output[written++] = (unsigned char)((at - candidate) >> 8);
        at += length;
        literals_from = at;
    }
    return written + put_literals(output + written, input + literals_from,
                                  size_bytes - literals_from);
}

static size_t decompress(const unsigned char *input, size_t size_bytes, unsigned char *output) {
    size_t written = 0;
    for (size_t at = 0; at < size_bytes;) {
        unsigned char tag = input[at++];
        if (tag < 128) {
            memcpy(output + written, input + at, tag + 1u);
            at += tag + 1u;
            written += tag + 1u;
            continue;
        }
        size_t distance = input[at] | (size_t)input[at + 1] << 8;
        at += 2;
        for (unsigned i = 0; i < tag - 128u + 3; i++, written++) {
            output[written] = output[written - distance];
        }
    }
    return written;
}

int main(int argc, char **argv) {
    unsigned blocks = argc > 1 ? (unsigned)atoi(argv[1]) : 40, same = 0;
    unsigned char *input = malloc(BLOCK_BYTES), *again = malloc(BLOCK_BYTES);
    unsigned char *packed = malloc(BLOCK_BYTES + BLOCK_BYTES / MAX_LITERALS + 16);
    size_t packed_bytes = 0;
    if (!input || !again || !packed) return 1;
    for (unsigned block = 0; block < blocks; block++) {
        write_input(input, BLOCK_BYTES, block + 3);
        size_t part_bytes = compress(input, BLOCK_BYTES, packed);
        size_t unpacked_bytes = decompress(packed, part_bytes, again);
        same += unpacked_bytes == BLOCK_BYTES && memcmp(input, again, BLOCK_BYTES) == 0;
        packed_bytes += part_bytes;
    }
    printf("compress %u %zu %s\n", blocks, packed_bytes, same == blocks ? "same" : "bad");
    free(packed);
    free(again);
    free(input);
    return 0;
}
