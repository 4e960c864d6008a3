// Two threads cut texts of their own by strtok, which goes on in whatever text came last.
// NATIVE: miss what strtok keeps is in the library
#include <pthread.h>
#include <string.h>

static void *cut(void *text) {
  long n_words = 0;
  char *word = strtok(text, " "); // EXPECT: data race write 8
  if (word) n_words++;
  return (void *)n_words;
}

int main(void) {
  static char one[] = "to be or not to be", other[] = "that is the question";
  pthread_t first, second;
  pthread_create(&first, NULL, cut, one);
  pthread_create(&second, NULL, cut, other);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
