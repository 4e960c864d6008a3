// What library functions have written is initialised.
// SANITIZE: memory
// STDIN: 17 seventeen
// STDOUT: 17 seventeen 9 1
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

int main(void) {
  int number;
  char *word = malloc(32), copy[32], line[64];
  struct stat facts;
  time_t now;
  if (!word || !fgets(line, sizeof line, stdin) || sscanf(line, "%d %31s", &number, word) != 2)
    return 1;
  strcpy(copy, word);
  if (stat("/", &facts) != 0 || !S_ISDIR(facts.st_mode))
    return 2;
  time(&now);
  int fds[2];
  char byte;
  if (pipe(fds) != 0 || write(fds[1], "1", 1) != 1 || read(fds[0], &byte, 1) != 1)
    return 3;
  printf("%d %s %zu %c\n", number, copy, strlen(copy), now > 0 ? byte : '-');
  free(word);
  return 0;
}
