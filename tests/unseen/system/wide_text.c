// Wide characters and multibyte text: wcs functions, streams of wide text, UTF-8 by hand, uchar.
#include <assert.h>
#include <locale.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <uchar.h>
#include <wchar.h>
#include <wctype.h>

static size_t encode(uint32_t point, char *out) {
    if (point < 0x80) return out[0] = (char)point, 1;
    if (point < 0x800) return out[0] = (char)(0xc0 | point >> 6), out[1] = (char)(0x80 | (point & 63)), 2;
    if (point < 0x10000) return out[0] = (char)(0xe0 | point >> 12), out[1] = (char)(0x80 | (point >> 6 & 63)), out[2] = (char)(0x80 | (point & 63)), 3;
    out[0] = (char)(0xf0 | point >> 18), out[1] = (char)(0x80 | (point >> 12 & 63));
    out[2] = (char)(0x80 | (point >> 6 & 63)), out[3] = (char)(0x80 | (point & 63));
    return 4;
}

int main(void) {
    assert(setlocale(LC_CTYPE, "C.UTF-8"));
    const uint32_t points[] = {'A', 0xdf, 0x20ac, 0x1f600, 'z'};
    char text[32];
    size_t used = 0;
    for (int i = 0; i < 5; i++) used += encode(points[i], text + used);
    text[used] = 0;
    wchar_t wide[16];
    assert(mbstowcs(wide, text, 16) == 5);
    for (int i = 0; i < 5; i++) assert((uint32_t)wide[i] == points[i]);
    printf("%zu %zu %s\n", used, wcslen(wide), text);
    mbstate_t state;
    memset(&state, 0, sizeof state);
    char16_t unit;
    const char *at = text + 6;
    size_t n = mbrtoc16(&unit, at, 4, &state);
    assert(n == 4 && unit == 0xd83d && mbrtoc16(&unit, at + 4, 1, &state) == (size_t)-3 && unit == 0xde00);
    char32_t whole;
    memset(&state, 0, sizeof state);
    assert(mbrtoc32(&whole, at, 4, &state) == 4 && whole == 0x1f600);
    char back[16];
    memset(&state, 0, sizeof state);
    assert(c32rtomb(back, 0x20ac, &state) == 3 && wctomb(back, 0xdf) == 2);
    const char *source = text;
    assert(mbsnrtowcs(NULL, &source, 3, 0, &state) == 2);
    char invalid[] = "a\xff";
    assert(mbstowcs(wide, invalid, 16) == (size_t)-1);

    wchar_t buffer[64] = L"wide";
    wcscat(buffer, L" text, ");
    wcsncat(buffer, L"cut off", 3);
    printf("%ls %d %td\n", buffer, wcscmp(buffer, L"wide") > 0, wcsstr(buffer, L"text") - buffer);
    wchar_t *save;
    int words = 0;
    for (wchar_t *token = wcstok(buffer, L" ,", &save); token; token = wcstok(NULL, L" ,", &save)) words++;
    assert(words == 3 && wcschr(L"abc", L'c')[1] == 0 && wmemcmp(L"ab", L"ac", 2) < 0);
    assert(swprintf(buffer, 64, L"%d|%5.2f|%ls|%s", -5, 2.5, L"wide", "narrow") == 20);
    printf("%ls\n", buffer);
    int number;
    wchar_t name[16];
    assert(swscanf(L"count 42", L"%15ls %d", name, &number) == 2 && number == 42 && !wcscmp(name, L"count"));
    assert(wcstod(L"2.5e1x", &save) == 25 && *save == L'x' && iswctype(L'7', wctype("digit")) && towctrans(L'q', wctrans("toupper")) == L'Q');
    FILE *file = tmpfile();
    assert(fwide(file, 1) > 0 && fputws(L"line \u00e9\nsecond\n", file) >= 0);
    rewind(file);
    assert(fgetws(buffer, 64, file) && wcslen(buffer) == 7 && fgetwc(file) == L's' && ungetwc(L'S', file) == L'S');
    assert(fwscanf(file, L"%15ls", name) == 1);
    printf("%ls\n", name);
    fclose(file);
    wchar_t *copy = wcsdup(L"copy");
    printf("%ls\n", copy);
    free(copy);
    return 0;
}
