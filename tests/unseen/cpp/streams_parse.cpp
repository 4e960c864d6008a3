// Streams: parsing, formatting flags, positions, a stream buffer of the program's own, files.
#include <cassert>
#include <cctype>
#include <cstdio>
#include <fstream>
#include <iomanip>
#include <iostream>
#include <iterator>
#include <limits>
#include <sstream>
#include <streambuf>
#include <string>
#include <unistd.h>
#include <vector>

class Upper : public std::streambuf {
  public:
    explicit Upper(std::streambuf *target) : target_(target) { setp(buffer_, buffer_ + sizeof buffer_); }
    ~Upper() override { sync(); }

  protected:
    int overflow(int c) override {
        sync();
        if (c != traits_type::eof()) sputc(static_cast<char>(c));
        return 0;
    }
    int sync() override {
        for (char *at = pbase(); at != pptr(); ++at) target_->sputc(static_cast<char>(std::toupper(*at)));
        setp(buffer_, buffer_ + sizeof buffer_);
        return 0;
    }

  private:
    std::streambuf *target_;
    char buffer_[8];
};

struct Point {
    int x = 0, y = 0;
};
static std::ostream &operator<<(std::ostream &out, const Point &p) { return out << '(' << p.x << ',' << p.y << ')'; }
static std::istream &operator>>(std::istream &in, Point &p) {
    char open = 0, comma = 0, close = 0;
    in >> open >> p.x >> comma >> p.y >> close;
    if (open != '(' || comma != ',' || close != ')') in.setstate(std::ios::failbit);
    return in;
}

int main() {
    std::istringstream in("(1,2) ( -3 , 4 ) [5,6]");
    Point p;
    int read = 0;
    while (in >> p) std::cout << p << ' ', read++;
    std::cout << read << in.fail() << in.eof() << '\n';

    std::ostringstream out;
    out << std::setw(8) << std::setfill('.') << 42 << std::left << std::setw(6) << "ab" << std::showbase << std::hex << 255 << std::dec << std::showpos << 7;
    out << ' ' << std::scientific << std::setprecision(2) << 12345.678 << std::defaultfloat << ' ' << std::quoted("say \"hi\"");
    std::cout << out.str() << '\n';
    {
        std::ostringstream target;
        {
            Upper upper(target.rdbuf());
            std::ostream shout(&upper);
            shout << "a text that is longer than the buffer " << 12 << '\n';
        }
        std::cout << target.str();
    }
    std::string name = "/tmp/streams_" + std::to_string(getpid());
    {
        std::fstream file(name, std::ios::in | std::ios::out | std::ios::trunc | std::ios::binary);
        for (int i = 0; i < 100; i++) file.write(reinterpret_cast<const char *>(&i), sizeof i);
        file.seekg(40 * sizeof(int));
        int value = 0;
        file.read(reinterpret_cast<char *>(&value), sizeof value);
        std::cout << value << ' ' << file.tellg() << '\n';
        file.seekp(0, std::ios::end);
        file << "tail line\nlast";
        file.seekg(400);
        std::vector<std::string> lines;
        for (std::string line; std::getline(file, line);) lines.push_back(line);
        std::cout << lines.size() << lines[1] << '\n';
    }
    std::ifstream again(name, std::ios::binary);
    std::string all(std::istreambuf_iterator<char>(again), {});
    assert(all.size() == 414);
    std::remove(name.c_str());
    std::istringstream numbers("1 2 x 3");
    int sum = 0, n;
    for (;;) {
        if (numbers >> n) sum += n;
        else if (numbers.eof()) break;
        else numbers.clear(), numbers.ignore(std::numeric_limits<std::streamsize>::max(), ' ');
    }
    std::cout << sum << '\n';
    std::ifstream missing("/no/such/file");
    missing.exceptions(std::ios::badbit);
    assert(!missing);
    std::wostringstream wide;
    wide << L"wide " << 5;
    std::cout << wide.str().size() << std::endl;
}
