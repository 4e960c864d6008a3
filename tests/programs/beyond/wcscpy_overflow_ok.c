// wcscpy fills its block to the last byte.
// EXIT: 0
#include <stdlib.h>
#include <wchar.h>
int main(void) {
  wchar_t *copy = malloc(4 * sizeof(wchar_t));
  wcscpy(copy, L"abc");
  wchar_t first = copy[0];
  free(copy);
  return first != L'a';
}
