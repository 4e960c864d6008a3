#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include "cJSON.h"
static unsigned long walk(const cJSON *item) {
  unsigned long n = 0;
  for (; item; item = item->next) n += 1 + (item->string ? strlen(item->string) : 0) + walk(item->child);
  return n;
}
int main(int argc, char **argv) {
  int rounds = argc > 1 ? atoi(argv[1]) : 1;
  size_t used = 0, room = 1 << 16;
  char *text = malloc(room);
  if (!text) return 1;
  for (size_t n; (n = fread(text + used, 1, room - used - 1, stdin)) > 0;) {
    used += n;
    if (room - used < 4096) {
      char *grown = realloc(text, room *= 2);
      if (!grown) return 1;
      text = grown;
    }
  }
  text[used] = 0;
  unsigned long total = 0;
  for (int i = 0; i < rounds; i++) {
    cJSON *root = cJSON_Parse(text);
    if (!root) return 1;
    total += walk(root);
    char *printed = i % 2 ? cJSON_Print(root) : cJSON_PrintUnformatted(root);
    if (!printed) return 1;
    total += strlen(printed);
    cJSON *again = cJSON_Parse(printed);
    total += cJSON_Compare(root, again, 1);
    cJSON_Delete(again);
    cJSON_free(printed);
    cJSON_Delete(root);
  }
  free(text);
  printf("%lu\n", total);
  return 0;
}
