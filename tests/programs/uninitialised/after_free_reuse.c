// A structure is read after it was freed.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

struct session {
  int id, is_open;
};

__attribute__((noinline)) static void close_session(struct session *session) {
  session->is_open = 0;
  free(session);
}

int main(int argc, char **argv) {
  (void)argv;
  struct session *session = malloc(sizeof *session);
  if (!session)
    return 1;
  session->id = argc;
  session->is_open = 1;
  struct session *volatile kept = session;
  close_session(session);
  switch (kept->is_open) { // EXPECT: use-of-uninitialized-value
  case 1: puts("open"); break;
  case 77: puts("never"); break;
  default: break;
  }
  return 0;
}
