// Containers, strings and streams, partly compiled into the C++ library.
// SANITIZE: memory
// NATIVE: false-alarm its C++ library is not instrumented
// STDOUT: 3 a long string that does not fit into the object itself 42 2.5 one,two,
#include <algorithm>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <sstream>
#include <string>
#include <unordered_map>
#include <vector>

struct Partly {
  int used = 3;
  int never;
};

int main(int argc, char **) {
  std::vector<Partly> parts(1, Partly{3, argc});
  parts.emplace_back();
  parts.push_back(parts[0]);
  std::string text = "a long string";
  text += " that does not fit into the object itself";
  std::map<std::string, int> by_name{{"two", 2}, {"one", 1}};
  std::unordered_map<int, std::string> names{{1, "one"}, {2, "two"}};
  std::stringstream stream;
  stream << 40 + argc + 1 << ' ' << 2.5;
  std::string first, second;
  stream >> first >> second;
  std::sort(text.begin(), text.begin() + 1, std::greater<char>());
  std::cout << parts.back().used << ' ' << text << ' ' << first << ' ' << second << ' ';
  for (const auto &[name, number] : by_name)
    if (names.at(number) == name)
      std::cout << name << ',';
  std::cout << std::endl;
  return 0;
}
