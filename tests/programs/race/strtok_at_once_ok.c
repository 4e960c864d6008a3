// Two threads use strtok one after the other; rand and strerror need no order.
// STDOUT: 6 4
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void *cut(void *text) {
  long n_words = 0;
  for (char *word = strtok(text, " "); word; word = strtok(NULL, " ")) n_words++;
  return (void *)n_words;
}

static void *other_calls(void *text) {
  return rand() < 0 || !strerror(ENOENT) ? text : NULL;
}

int main(void) {
  static char one[] = "to be or not to be", other[] = "that is the question";
  pthread_t first, second, third;
  void *n_first, *n_second;
  pthread_create(&third, NULL, other_calls, one);
  pthread_create(&first, NULL, cut, one);
  if (rand() < 0 || !strerror(EPERM)) return 1;
  pthread_join(first, &n_first);
  pthread_create(&second, NULL, cut, other);
  pthread_join(second, &n_second);
  pthread_join(third, NULL);
  printf("%ld %ld\n", (long)n_first, (long)n_second);
  return 0;
}
