// Two threads draw from one row of numbers, which nothing locks.
// NATIVE: miss what lrand48 keeps is in the library
#include <pthread.h>
#include <stdlib.h>

static void *draw(void *sum) {
  *(long *)sum = lrand48(); // EXPECT: data race write 8
  return NULL;
}

int main(void) {
  long sums[2];
  pthread_t first, second;
  srand48(7);
  pthread_create(&first, NULL, draw, &sums[0]);
  pthread_create(&second, NULL, draw, &sums[1]);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return sums[0] == sums[1];
}
