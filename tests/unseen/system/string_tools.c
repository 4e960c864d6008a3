// The string functions of libc over many small cases.
#include <assert.h>
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

static int sign(int x) { return (x > 0) - (x < 0); }

int main(void) {
    char buffer[64], other[64];
    strcpy(buffer, "hello");
    assert(stpcpy(buffer + 5, ", world") == buffer + 12 && strlen(buffer) == 12 && strnlen(buffer, 4) == 4);
    strncat(buffer, "!!!!!", 2);
    memset(other, 'z', sizeof other);
    strncpy(other, "ab", 5);
    assert(other[2] == 0 && other[4] == 0 && other[5] == 'z' && stpncpy(other, "xyz", 2) == other + 2);
    printf("%s %s\n", buffer, strrchr(buffer, 'o'));
    printf("%s|%s|%zu|%zu\n", strstr(buffer, "wor"), strpbrk(buffer, "xyzw"), strspn(buffer, "leh"), strcspn(buffer, ", "));
    assert(!strchr(buffer, 'q') && strchr(buffer, 0) == buffer + 14 && *strchrnul(buffer, 'q') == 0 && !strcasestr(buffer, "WORM"));
    assert(strcasestr(buffer, "WORLD") == buffer + 7 && !strstr("short", "a much longer needle"));
    printf("%d %d %d %d %d\n", sign(strcmp("a", "b")), sign(strncmp("abc", "abd", 2)), sign(strcasecmp("HeLLo", "hEllO")), sign(strncasecmp("ab", "AC", 2)), sign(strverscmp("file9", "file10")));
    memmove(buffer + 2, buffer, 5);
    printf("%s\n", buffer);
    assert(memchr(buffer, 'h', 14) == buffer && memrchr(buffer, 'h', 14) == buffer + 2 && !memchr(buffer, 'q', 14));
    assert(memmem(buffer, 14, "llo", 3) == buffer + 4 && memccpy(other, "until:here", ':', 20) == other + 6);
    assert(mempcpy(other, "abc", 3) == other + 3 && rawmemchr(other, 'c') == other + 2);
    char list[] = "a,b;;c, d", *save, *at = list;
    int n = 0;
    for (char *token = strtok_r(list, ",;", &save); token; token = strtok_r(NULL, ",;", &save)) printf("<%s>", token), n++;
    printf(" %d\n", n);
    char fields[] = "x::y:", *rest = fields, *field;
    while ((field = strsep(&rest, ":"))) printf("(%s)", field);
    puts("");
    at = strdup("duplicate");
    char *part = strndup(at, 3), *on_stack = strdupa(part);
    printf("%s %s %s\n", at, part, on_stack);
    free(at), free(part);
    assert(memcmp("ab\0c", "ab\0d", 4) < 0 && bcmp("x", "x", 1) == 0 && ffs(40) == 4 && ffsl(0) == 0);
    explicit_bzero(buffer, sizeof buffer);
    bzero(other, sizeof other);
    assert(memcmp(buffer, other, sizeof buffer) == 0);
    swab("badcfe", buffer, 6);
    buffer[6] = 0;
    memfrob(other, 4), memfrob(other, 4);
    printf("%s %d\n", buffer, other[0]);
    int classes = 0;
    for (int c = 0; c < 128; c++) classes += isalpha(c) ? 1 : isdigit(c) ? 100 : ispunct(c) ? 10000 : 0;
    printf("%d %c%c\n", classes, toupper('q'), tolower('Q'));
    const char *separators = " \t";
    char empty[] = "  \t ";
    assert(!strtok(empty, separators) && strcoll("a", "b") < 0);
    printf("%s\n", basename("/usr/lib/file.c"));
    return 0;
}
