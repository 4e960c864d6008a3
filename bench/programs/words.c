// Builds a text, splits it into words, counts them in a sorted list: the string functions of libc.
// SIZE: default 2500000, smoke 100000
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_WORDS = 4096 };

struct word {
    char *text;
    int count;
};

struct index {
    struct word words[MAX_WORDS];
    int count;
};

static char *write_text(int word_count) {
    static const char *const syllables[] = {"ba", "ko", "ri", "tu", "men", "sol", "da", "fe"};
    char *text = malloc((size_t)word_count * 12 + 1), *end = text;
    unsigned state = 11;
    if (!text) exit(1);
    for (int i = 0; i < word_count; i++) {
        state = state * 1664525u + 1013904223u;
        int length = 1 + (int)(state >> 30);
        for (int s = 0; s < length && s < 3; s++) {
            const char *syllable = syllables[(state >> (8 + 3 * s)) & 7];
            size_t size_bytes = strlen(syllable);
            memcpy(end, syllable, size_bytes);
            end += size_bytes;
        }
        *end++ = ' ';
    }
    *end = '\0';
    return text;
}

static int place_of(const struct index *index, const char *text) {
    int low = 0, high = index->count;
    while (low < high) {
        int middle = (low + high) / 2;
        if (strcmp(index->words[middle].text, text) < 0) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low;
}

static void add(struct index *index, const char *text) {
    int at = place_of(index, text);
    struct word *word = &index->words[at];
    if (at < index->count && strcmp(word->text, text) == 0) {
        word->count += 1;
        return;
    }
    if (index->count == MAX_WORDS) exit(1);
    memmove(word + 1, word, (size_t)(index->count - at) * sizeof *word);
    word->text = strdup(text);
    word->count = 1;
    index->count += 1;
}

int main(int argc, char **argv) {
    int word_count = argc > 1 ? atoi(argv[1]) : 2500000;
    static struct index index;
    char *text = write_text(word_count), *save = NULL;
    unsigned checksum = 0;
    for (char *word = strtok_r(text, " ", &save); word; word = strtok_r(NULL, " ", &save)) {
        add(&index, word);
    }
    for (int i = 0; i < index.count; i++) {
        struct word *word = &index.words[i];
        checksum = checksum * 31 + (unsigned)word->count * (unsigned)strlen(word->text);
        free(word->text);
    }
    printf("words %d %d %u\n", word_count, index.count, checksum);
    free(text);
    return 0;
}
