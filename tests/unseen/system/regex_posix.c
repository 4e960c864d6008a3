// POSIX regular expressions: groups, flags, errors, repeated matching.
#include <assert.h>
#include <regex.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static int count_words(const char *text, const char *pattern) {
    regex_t compiled;
    assert(regcomp(&compiled, pattern, REG_EXTENDED) == 0);
    regmatch_t match;
    int count = 0, flags = 0;
    while (regexec(&compiled, text, 1, &match, flags) == 0) {
        count++;
        text += match.rm_eo;
        flags = REG_NOTBOL;
        if (match.rm_eo == 0) break;
    }
    regfree(&compiled);
    return count;
}

static char *group(const char *text, const regmatch_t *match) {
    return match->rm_so < 0 ? strdup("-") : strndup(text + match->rm_so, (size_t)(match->rm_eo - match->rm_so));
}

int main(void) {
    regex_t url;
    assert(regcomp(&url, "^([a-z]+)://([^/:]+)(:([0-9]+))?(/.*)?$", REG_EXTENDED | REG_ICASE) == 0);
    assert(url.re_nsub == 5);
    const char *samples[] = {"http://example.org:8080/path/to?x=1", "FTP://host", "no url at all", "a://b/"};
    for (int i = 0; i < 4; i++) {
        regmatch_t matches[6];
        if (regexec(&url, samples[i], 6, matches, 0)) {
            printf("no match: %s\n", samples[i]);
            continue;
        }
        const int wanted[] = {1, 2, 4, 5};
        for (int k = 0; k < 4; k++) {
            char *text = group(samples[i], &matches[wanted[k]]);
            printf("[%s]", text);
            free(text);
        }
        puts("");
    }
    regfree(&url);
    printf("%d %d\n", count_words("one two  three", "[a-z]+"), count_words("2024-05-06", "[[:digit:]]{2}"));
    regex_t lines;
    assert(regcomp(&lines, "^b.*$", REG_NEWLINE | REG_NOSUB) == 0);
    assert(regexec(&lines, "aaa\nbbb\nccc", 0, NULL, 0) == 0);
    regfree(&lines);
    regex_t backward;
    assert(regcomp(&backward, "\\(.\\)\\1", 0) == 0);
    assert(regexec(&backward, "letter", 0, NULL, 0) == 0 && regexec(&backward, "abc", 0, NULL, 0) == REG_NOMATCH);
    regfree(&backward);
    int error = regcomp(&lines, "a(b", REG_EXTENDED);
    char message[100];
    size_t size = regerror(error, &lines, message, sizeof message);
    printf("%d %s\n", error == REG_EPAREN, message);
    assert(size == strlen(message) + 1);
    return 0;
}
