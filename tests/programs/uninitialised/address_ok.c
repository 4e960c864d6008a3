// Links and indices that are set before they are followed.
// SANITIZE: memory
// STDOUT: 6
#include <stdio.h>
#include <stdlib.h>

struct node {
  int value;
  struct node *next;
};

int main(int argc, char **argv) {
  (void)argv;
  struct node *list = NULL;
  for (int i = 0; i < 4; i++) {
    struct node *node = malloc(sizeof *node);
    if (!node)
      return 1;
    node->value = i * argc;
    node->next = list;
    list = node;
  }
  int sum = 0;
  while (list) {
    struct node *next = list->next;
    sum += list->value;
    free(list);
    list = next;
  }
  printf("%d\n", sum);
  return 0;
}
