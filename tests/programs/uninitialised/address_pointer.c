// A list whose last link was never set.
// SANITIZE: memory
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(int argc, char **argv) {
  (void)argv;
  struct node *node = malloc(sizeof *node);
  if (!node)
    return 1;
  node->value = argc;
  struct node *next = node->next;
  printf("%d\n", *(volatile int *)&next->value); // EXPECT: use-of-uninitialized-value
  return 0;
}
