// Reads lines from standard input and formats them with iostream.
// STDIN: apple 3
// STDIN: pear 12
// STDIN: fig 7
// STDOUT: apple...... 3
// STDOUT: fig........ 7
// STDOUT: pear.......12
// STDOUT: total 22, mean 7.33
#include <iomanip>
#include <iostream>
#include <map>
#include <sstream>
#include <string>

int main() {
    std::map<std::string, int> stock;
    std::string line;
    while (std::getline(std::cin, line)) {
        std::istringstream fields(line);
        std::string name;
        int count = 0;
        if (fields >> name >> count) stock[name] += count;
    }
    int total = 0;
    for (const auto &[name, count] : stock) {
        std::cout << std::left << std::setw(11) << std::setfill('.') << name << std::right
                  << std::setfill(' ') << std::setw(2) << count << '\n';
        total += count;
    }
    std::cout << "total " << total << ", mean " << std::fixed << std::setprecision(2)
              << total / static_cast<double>(stock.size()) << '\n';
    return 0;
}
