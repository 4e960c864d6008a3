// A comparator throws, and one sorts an array of its own.
// SANITIZE: memory
// STDOUT: thrown 1 2 3 1
#include <cstdio>
#include <cstdlib>

static int order(const void *a, const void *b) {
  return *static_cast<const int *>(a) - *static_cast<const int *>(b);
}

static int refuse(const void *, const void *) { throw 7; }

static int nested(const void *a, const void *b) {
  int pair[2] = {*static_cast<const int *>(a), *static_cast<const int *>(b)};
  std::qsort(pair, 2, sizeof *pair, order);
  return pair[0] == *static_cast<const int *>(a) ? -1 : 1;
}

int main() {
  int items[3] = {3, 1, 2};
  try {
    std::qsort(items, 3, sizeof *items, refuse);
  } catch (int value) {
    std::printf(value == 7 ? "thrown " : "other ");
  }
  std::qsort(items, 3, sizeof *items, nested);
  std::printf("%d %d %d ", items[0], items[1], items[2]);
  std::qsort(items, 1, sizeof *items, refuse);
  std::printf("%d\n", items[0]);
  return 0;
}
