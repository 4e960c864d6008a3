// The same read behind the end of an object, where the compiler is told to leave such objects be.
// CFLAGS: -fno-sanitize-memory-use-after-dtor
// STDOUT: end
#include <cstdio>
#include <new>

struct Counter {
  int count;
  explicit Counter(int start) : count(start) {}
  ~Counter() { std::puts("end"); }
};

int main(int argc, char **) {
  alignas(Counter) char room[sizeof(Counter)];
  Counter *counter = new (room) Counter(argc - 1);
  counter->~Counter();
  if (*(volatile int *)&counter->count > 1000)
    std::puts("set");
  return 0;
}
