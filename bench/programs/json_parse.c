// Parsing: nested lists, objects, numbers and strings of a random text become a tree of nodes.
// SIZE: default 320, smoke 4
// THREADS: 1, 4
#include "work.h"

#include <string.h>

struct value {
    char kind;
    long number;
    char *text;
    struct value *child, *next;
};

struct writer {
    char *bytes;
    size_t length;
    uint64_t random;
};

static void write_value(struct writer *w, int depth) {
    uint64_t drawn = next_random(&w->random);
    if (depth == 0 || drawn % 8 < 2) {
        w->length += (size_t)sprintf(w->bytes + w->length, "%d", (int)(drawn >> 48) - 30000);
    } else if (drawn % 8 < 4) {
        w->length += (size_t)sprintf(w->bytes + w->length, "\"name\\t%x\"", (int)(drawn >> 40));
    } else {
        int is_object = drawn % 8 < 6;
        w->bytes[w->length++] = is_object ? '{' : '[';
        for (int i = (int)(drawn >> 60 & 3) + 1; i >= 0; i--) {
            if (is_object) w->length += (size_t)sprintf(w->bytes + w->length, "\"k%d\": ", i);
            write_value(w, depth - 1);
            if (i > 0) w->bytes[w->length++] = ',';
        }
        w->bytes[w->length++] = is_object ? '}' : ']';
    }
}

static const char *skip(const char *at) {
    while (*at == ' ' || *at == '\n' || *at == '\t') at++;
    return at;
}

static const char *parse_string(const char *at, char **out) {
    const char *end = ++at;
    while (*end != '"') end += *end == '\\' ? 2 : 1;
    char *made = malloc((size_t)(end - at) + 1), *to = made;
    if (!made) exit(1);
    for (; at < end; at++) *to++ = *at == '\\' ? (at++, '\t') : *at;
    *to = 0;
    *out = made;
    return end + 1;
}

static const char *parse(const char *at, struct value **out) {
    struct value *made = calloc(1, sizeof *made);
    if (!made) exit(1);
    at = skip(at);
    *out = made;
    made->kind = *at;
    if (*at == '"') return parse_string(at, &made->text);
    if (*at != '[' && *at != '{') {
        int is_negative = *at == '-';
        for (at += is_negative; *at >= '0' && *at <= '9'; at++)
            made->number = made->number * 10 + (*at - '0');
        if (is_negative) made->number = -made->number;
        return at;
    }
    char closing = *at == '[' ? ']' : '}';
    struct value **link = &made->child;
    do {
        char *key = NULL;
        at = skip(at + 1);
        if (closing == '}') at = skip(parse_string(at, &key)) + 1;
        at = skip(parse(at, link));
        if (key) {
            (*link)->number ^= (long)strlen(key);
            free(key);
        }
        link = &(*link)->next;
    } while (*at == ',');
    return at + 1;
}

static unsigned long finish(struct value *value) {
    unsigned long sum = 0;
    while (value) {
        struct value *next = value->next;
        sum += (unsigned long)value->number + (value->text ? strlen(value->text) : 0);
        sum += finish(value->child);
        free(value->text);
        free(value);
        value = next;
    }
    return sum;
}

static unsigned long work(int self, long size) {
    struct writer w = {malloc(1 << 20), 0, seed_of(self)};
    if (!w.bytes) exit(1);
    w.bytes[w.length++] = '[';
    for (int i = 0; i < 100; i++) {
        write_value(&w, 5);
        w.bytes[w.length++] = i < 99 ? ',' : ']';
    }
    w.bytes[w.length] = 0;
    unsigned long sum = 0;
    for (long round = 0; round < size; round++) {
        struct value *value = NULL;
        parse(w.bytes, &value);
        sum += finish(value);
    }
    free(w.bytes);
    return sum;
}

int main(int argc, char **argv) {
    return run_all("json_parse", argc > 1 ? atol(argv[1]) : 320);
}
