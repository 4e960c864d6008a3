// A copy of the start of a text whose third letter was never set.
#define _POSIX_C_SOURCE 200809L
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int main(int argc, char **argv) {
  (void)argv;
  char *text = malloc(8);
  if (!text)
    return 1;
  text[0] = text[1] = 'a';
  char *copy = strndup(text, (size_t)argc + 2); // EXPECT: use-of-uninitialized-value
  printf("%c\n", copy[0]);
  free(copy);
  free(text);
  return 0;
}
