// A text is converted one letter of which was never set.
#include <iconv.h>
#include <stdio.h>
#include <stdlib.h>

int main(void) {
  char *text = malloc(4), room[16];
  char *from = text, *to = room;
  size_t n_from = 4, n_to = sizeof room;
  iconv_t converter = iconv_open("UTF-8", "LATIN1");
  if (!text || converter == (iconv_t)-1)
    return 1;
  text[0] = text[1] = text[3] = 'x';
  size_t n = iconv(converter, &from, &n_from, &to, &n_to); // EXPECT: use-of-uninitialized-value
  printf("%zu\n", n);
  iconv_close(converter);
  free(text);
  return 0;
}
