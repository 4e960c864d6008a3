// Strings with a letter that was never set are copied and appended, what is not set is overwritten.
// SANITIZE: memory
// STDOUT: xaab-ab-ab-ab 5 abc 4 12 cab wide
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <wchar.h>

static char *half(void) {
  char *text = malloc(8);
  if (!text)
    abort();
  text[0] = 'a';
  text[2] = '\0';
  return text;
}

int main(void) {
  char *text = half(), whole[32] = "x", copy[8], filled[8];
  strcat(whole, text);
  whole[2] = 'a';
  strncat(whole, "b-", 2);
  strcpy(copy, text);
  copy[1] = 'b';
  strcat(whole, copy);
  char *end = stpcpy(copy, text);
  copy[1] = 'b';
  strcat(strcat(whole, "-"), copy);
  char *again = strdup(text);
  again[1] = 'b';
  strcat(strcat(whole, "-"), again);
  memset(filled, 7, sizeof filled);
  strncpy(filled, text, sizeof filled);
  filled[1] = 'b';
  int n_zero = 0;
  for (int i = 0; i < 8; i++)
    n_zero += !filled[i];
  char parts[] = "abc,d";
  char *rest = NULL;
  printf("%s %d %s ", whole, n_zero - 1 + (end != copy + 2), strtok_r(parts, ",", &rest));
  char lines[8];
  memcpy(lines, "4 12", 5);
  int first = 0, second = 0;
  if (sscanf(lines, "%d %d", &first, &second) == 2)
    printf("%d %d ", first, second);
  wchar_t wide[8] = L"c", other[4];
  other[0] = L'a';
  other[2] = L'\0';
  wcscat(wide, other);
  wide[2] = L'b';
  char narrow[8];
  for (int i = 0; i < 4; i++)
    narrow[i] = (char)wide[i];
  printf("%s %s\n", narrow, wcscmp(wide, L"cab") ? "other" : "wide");
  free(again);
  free(text);
  return 0;
}
