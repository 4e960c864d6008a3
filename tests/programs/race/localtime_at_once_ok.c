// One thread calls localtime with the lock held, as the other does gmtime; a third has its own.
// STDOUT: 1970 1972 1972
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static int years[3];

static void *local(void *seconds) {
  time_t when = (time_t)(long)seconds;
  pthread_mutex_lock(&lock);
  years[0] = localtime(&when)->tm_year;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *universal(void *seconds) {
  time_t when = (time_t)(long)seconds;
  pthread_mutex_lock(&lock);
  years[1] = gmtime(&when)->tm_year;
  pthread_mutex_unlock(&lock);
  return NULL;
}

static void *own(void *seconds) {
  time_t when = (time_t)(long)seconds;
  struct tm broken;
  years[2] = localtime_r(&when, &broken)->tm_year;
  return NULL;
}

int main(void) {
  pthread_t threads[3];
  pthread_create(&threads[0], NULL, local, (void *)100000L);
  pthread_create(&threads[1], NULL, universal, (void *)90000000L);
  pthread_create(&threads[2], NULL, own, (void *)90000000L);
  for (int i = 0; i < 3; i++) pthread_join(threads[i], NULL);
  printf("%d %d %d\n", 1900 + years[0], 1900 + years[1], 1900 + years[2]);
  return 0;
}
