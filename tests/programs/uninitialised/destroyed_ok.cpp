// Destructors use members, and what they end is made anew: by this program and by the library.
// NATIVE: false-alarm the library makes new strings without its knowing
// STDOUT: 3 longer than what fits into the object 12
#include <cstdio>
#include <new>
#include <string>
#include <vector>

struct Part {
  int size;
  explicit Part(int start) : size(start) {}
  ~Part() { total += size; }
  static int total;
};
int Part::total = 0;

struct Whole {
  Part first, second;
  int number;
  explicit Whole(int start) : first(start), second(start + 1), number(start) {}
  ~Whole() { Part::total += number + first.size; }
};

int main(int argc, char **) {
  alignas(Whole) char room[sizeof(Whole)];
  for (int round = 0; round < 3; round++) {
    Whole *whole = new (room) Whole(argc);
    if (whole->number != argc || whole->second.size != argc + 1)
      return 1;
    whole->~Whole();
  }
  std::vector<std::string> names;
  for (int round = 0; round < 3; round++) {
    names.clear();
    names.push_back("short");
    names.push_back("longer than what fits into the object");
    names.emplace_back(3, 'x');
    names.erase(names.begin());
  }
  std::printf("%zu %s %d\n", names.size() + 1, names[0].c_str(), Part::total - 3);
  return 0;
}
