// Streams with facets of their own: grouping, truth words, ctype, collation, money and time.
#include <cassert>
#include <ctime>
#include <iomanip>
#include <iostream>
#include <locale>
#include <sstream>
#include <string>

struct Grouped : std::numpunct<char> {
    char do_thousands_sep() const override { return '\''; }
    std::string do_grouping() const override { return "\3"; }
    char do_decimal_point() const override { return ','; }
    std::string do_truename() const override { return "yes"; }
    std::string do_falsename() const override { return "no"; }
};

struct CommaIsSpace : std::ctype<char> {
    CommaIsSpace() : std::ctype<char>(table()) {}
    static const mask *table() {
        static mask marks[table_size];
        for (size_t i = 0; i < table_size; i++) marks[i] = classic_table()[i];
        marks[static_cast<unsigned char>(',')] = static_cast<mask>(marks[static_cast<unsigned char>(',')] | space);
        return marks;
    }
};

int main() {
    std::ostringstream out;
    out.imbue(std::locale(std::locale::classic(), new Grouped));
    out << 1234567 << ' ' << std::fixed << std::setprecision(2) << 9876543.215 << ' ' << std::boolalpha << true << false;
    std::cout << out.str() << '\n';

    std::istringstream in("1'000'000 no 2,5");
    in.imbue(std::locale(std::locale::classic(), new Grouped));
    long million;
    bool flag;
    double half;
    in >> million >> std::boolalpha >> flag >> half;
    assert(in && million == 1000000 && !flag && half == 2.5);

    std::istringstream list("10,20,30,,40");
    list.imbue(std::locale(std::locale::classic(), new CommaIsSpace));
    int sum = 0, number;
    while (list >> number) sum += number;
    std::cout << sum << '\n';

    const std::locale &classic = std::locale::classic();
    const auto &ctype = std::use_facet<std::ctype<char>>(classic);
    std::string word = "MiXed 42";
    ctype.toupper(word.data(), word.data() + word.size());
    std::cout << word << ' ' << ctype.is(std::ctype_base::digit, '4') << std::isalpha('x', classic) << '\n';
    const auto &collate = std::use_facet<std::collate<char>>(classic);
    std::string a = "apple", b = "banana";
    std::cout << collate.compare(a.data(), a.data() + a.size(), b.data(), b.data() + b.size()) << '\n';
    std::tm when{};
    when.tm_year = 124, when.tm_mon = 1, when.tm_mday = 29, when.tm_hour = 13;
    std::cout << std::put_time(&when, "%Y-%m-%d %H:%M:%S %B") << '\n';
    std::istringstream date("2023-07-04 05:06:07");
    std::tm read{};
    date >> std::get_time(&read, "%Y-%m-%d %H:%M:%S");
    assert(!date.fail());
    std::cout << read.tm_year << ' ' << read.tm_mon << ' ' << read.tm_mday << ' ' << read.tm_sec << '\n';
    try {
        std::locale missing("xx_XX.nonsense");
    } catch (const std::runtime_error &) {
        std::cout << "no such locale\n";
    }
    std::cout << std::locale().name() << '\n';
}
