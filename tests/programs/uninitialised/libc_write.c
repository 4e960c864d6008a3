// Bytes that were never set leave the program.
// SANITIZE: memory
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(void) {
  char *text = malloc(16);
  if (!text)
    return 1;
  memcpy(text, "hello", 5);
  if (write(1, text, 8) != 8) // EXPECT: use-of-uninitialized-value
    return 2;
  free(text);
  return 0;
}
