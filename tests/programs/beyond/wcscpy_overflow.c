// wcscpy writes behind a block that is one wide character too small.
// NATIVE: miss wcscpy is not intercepted there
#include <stdlib.h>
#include <wchar.h>
int main(void) {
  wchar_t *copy = malloc(3 * sizeof(wchar_t)); // ALLOCATED
  wcscpy(copy, L"abc"); // EXPECT: heap-buffer-overflow write 16
  wchar_t first = copy[0];
  free(copy);
  return first != L'a';
}
