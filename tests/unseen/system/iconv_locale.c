// Character sets and locales: iconv, wide and multibyte text, localeconv, strcoll, nl_langinfo.
#include <assert.h>
#include <errno.h>
#include <iconv.h>
#include <langinfo.h>
#include <locale.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>
#include <wctype.h>

static size_t convert(const char *to, const char *from, char *in, size_t n, char *out, size_t room) {
    iconv_t state = iconv_open(to, from);
    assert(state != (iconv_t)-1);
    char *end = out;
    size_t left = room, result = iconv(state, &in, &n, &end, &left);
    if (result == (size_t)-1) printf("error %s, %zu left\n", errno == EILSEQ ? "EILSEQ" : errno == E2BIG ? "E2BIG" : "EINVAL", n);
    iconv_close(state);
    return room - left;
}

int main(void) {
    char latin[] = "caf\xe9 na\xefve", utf[64], wide[64];
    size_t n = convert("UTF-8", "ISO-8859-1", latin, strlen(latin), utf, sizeof utf);
    utf[n] = 0;
    printf("%zu %s\n", n, utf);
    printf("%zu\n", convert("UTF-16LE", "UTF-8", utf, n, wide, sizeof wide));
    char broken[] = "ok\xff", small[3];
    assert(convert("UTF-16LE", "UTF-8", broken, 3, wide, sizeof wide) == 4);
    assert(convert("UTF-8", "ISO-8859-1", latin, strlen(latin), small, sizeof small) == 3);
    assert(iconv_open("NO-SUCH-SET", "UTF-8") == (iconv_t)-1 && errno == EINVAL);

    assert(!strcmp(setlocale(LC_ALL, NULL), "C") && localeconv()->decimal_point[0] == '.');
    assert(!setlocale(LC_ALL, "xx_YY.nothing"));
    if (setlocale(LC_CTYPE, "C.UTF-8")) {
        wchar_t text[32];
        size_t length = mbstowcs(text, utf, 32);
        assert(length == 10 && text[3] == 0xe9 && iswalpha((wint_t)text[3]) && towupper((wint_t)text[3]) == 0xc9);
        char back[64];
        assert(wcstombs(back, text, sizeof back) == n && !strcmp(back, utf));
        mbstate_t state;
        memset(&state, 0, sizeof state);
        const char *at = utf;
        int characters = 0;
        for (size_t step; (step = mbrlen(at, MB_CUR_MAX, &state)) > 0 && step < 8; at += step) characters++;
        printf("%d %s %d\n", characters, nl_langinfo(CODESET), wcwidth(0x4e2d));
    }
    setlocale(LC_ALL, "C");
    printf("%s %s %d\n", nl_langinfo(DAY_2), nl_langinfo(RADIXCHAR), strcoll("abc", "abd") < 0);
    char key[32];
    assert(strxfrm(key, "abc", sizeof key) == 3 && !strcmp(key, "abc"));
    locale_t own = newlocale(LC_ALL_MASK, "C", (locale_t)0);
    locale_t before = uselocale(own);
    printf("%.2f\n", 1.5);
    uselocale(before);
    freelocale(own);
    wchar_t formatted[32];
    assert(swprintf(formatted, 32, L"%ls-%d", L"wide", 7) == 6 && wcscmp(formatted, L"wide-7") == 0);
    wchar_t *rest;
    long number = wcstol(L"42rest", &rest, 10);
    printf("%ld %ls\n", number, rest);
    return 0;
}
