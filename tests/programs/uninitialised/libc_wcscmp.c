// Wide strings are compared, and a character of one was never set.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>
#include <wchar.h>

int main(void) {
  wchar_t *text = malloc(4 * sizeof *text);
  if (!text)
    return 1;
  text[0] = L'a';
  text[2] = L'\0';
  puts(wcscmp(text, L"ab") ? "other" : "same"); // EXPECT: use-of-uninitialized-value
  free(text);
  return 0;
}
