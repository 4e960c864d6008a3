// A member is read behind the end of its object.
#include <cstdio>
#include <new>

struct Counter {
  int count;
  explicit Counter(int start) : count(start) {}
  ~Counter() { std::puts("end"); }
};

int main(int argc, char **) {
  alignas(Counter) char room[sizeof(Counter)];
  Counter *counter = new (room) Counter(argc);
  counter->~Counter();
  if (*(volatile int *)&counter->count) // EXPECT: use-of-uninitialized-value
    std::puts("set");
  return 0;
}
