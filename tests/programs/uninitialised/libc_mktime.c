// A date whose month was never set.
// SANITIZE: memory
#include <stdio.h>
#include <time.h>

int main(void) {
  struct tm date;
  date.tm_year = 100;
  date.tm_mday = 1;
  date.tm_hour = date.tm_min = date.tm_sec = 0;
  date.tm_isdst = 0;
  time_t when = mktime(&date); // EXPECT: use-of-uninitialized-value
  printf("%d\n", when != -1);
  return 0;
}
