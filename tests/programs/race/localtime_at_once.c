// Two threads call localtime: each may get what the other has asked for.
#include <pthread.h>
#include <stdio.h>
#include <time.h>

static void *show(void *seconds) {
  time_t when = (time_t)(long)seconds;
  struct tm *shown = localtime(&when); // EXPECT: data race write 8
  return shown ? NULL : seconds;
}

int main(void) {
  pthread_t first, second;
  pthread_create(&first, NULL, show, (void *)100000L);
  pthread_create(&second, NULL, show, (void *)90000000L);
  pthread_join(first, NULL);
  pthread_join(second, NULL);
  return 0;
}
