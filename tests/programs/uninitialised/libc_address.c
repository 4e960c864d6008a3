// A socket address without its port.
// SANITIZE: memory
#include <netinet/in.h>
#include <stdio.h>
#include <sys/socket.h>

int main(void) {
  int end = socket(AF_INET, SOCK_DGRAM, 0);
  struct sockaddr_in address;
  address.sin_family = AF_INET;
  address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
  struct sockaddr *place = (struct sockaddr *)&address;
  int status = bind(end, place, sizeof address); // EXPECT: use-of-uninitialized-value
  printf("%d\n", status);
  return 0;
}
