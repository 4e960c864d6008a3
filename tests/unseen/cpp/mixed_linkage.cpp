// C and C++ together: qsort with a C++ comparison, callbacks, atexit, C streams beside C++ streams.
#include <algorithm>
#include <cassert>
#include <csetjmp>
#include <csignal>
#include <cstdarg>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <ctime>
#include <iostream>
#include <memory>
#include <string>
#include <vector>

extern "C" {
typedef int (*visitor)(void *state, const char *name, double value);
static int visit_all(visitor visit, void *state) {
    static const struct {
        const char *name;
        double value;
    } rows[] = {{"one", 1.5}, {"two", 2.5}, {"three", -4}};
    for (const auto &row : rows)
        if (int stop = visit(state, row.name, row.value)) return stop;
    return 0;
}
static int compare_texts(const void *a, const void *b) { return static_cast<const std::string *>(a)->compare(*static_cast<const std::string *>(b)); }
static int compare_ints(const void *a, const void *b) { return (*static_cast<const int *>(a) > *static_cast<const int *>(b)) - (*static_cast<const int *>(a) < *static_cast<const int *>(b)); }
}

struct Collector {
    std::vector<std::string> names;
    double sum = 0;
    int limit;
    static int on_row(void *state, const char *name, double value) {
        auto *self = static_cast<Collector *>(state);
        self->names.emplace_back(name);
        self->sum += value;
        return int(self->names.size()) == self->limit;
    }
};

static std::string format(const char *pattern, ...) {
    va_list list, again;
    va_start(list, pattern);
    va_copy(again, list);
    int n = std::vsnprintf(nullptr, 0, pattern, list);
    std::string out(size_t(n), '\0');
    std::vsnprintf(out.data(), out.size() + 1, pattern, again);
    va_end(again);
    va_end(list);
    return out;
}

static volatile std::sig_atomic_t signalled;
static std::jmp_buf out_of_here;
static int depth(int n) {
    if (n == 0) std::longjmp(out_of_here, 9);
    return depth(n - 1) + 1;
}

int main() {
    Collector all{{}, 0, 0}, two{{}, 0, 2};
    assert(visit_all(Collector::on_row, &all) == 0 && visit_all(&Collector::on_row, &two) == 1);
    std::cout << all.names.size() << ' ' << all.sum << ' ' << two.names.back() << std::endl;
    std::printf("%s\n", format("%d|%s|%.2f|%*d", 42, "text that is not small at all", 2.345, 5, 7).c_str());
    int numbers[] = {5, 3, 9, 1, 7};
    std::qsort(numbers, 5, sizeof *numbers, compare_ints);
    int key = 7;
    auto *found = static_cast<int *>(std::bsearch(&key, numbers, 5, sizeof *numbers, compare_ints));
    std::printf("%d at %td\n", *found, found - numbers);
    std::vector<const char *> words{"pear", "fig", "apple"};
    std::sort(words.begin(), words.end(), [](const char *a, const char *b) { return std::strcmp(a, b) < 0; });
    std::puts(words[0]);
    const std::string left = "a", right = "b";
    assert(compare_texts(&left, &right) < 0);
    std::signal(SIGUSR1, [](int number) { signalled = number; });
    std::raise(SIGUSR1);
    if (int code = setjmp(out_of_here)) std::printf("%d %d\n", code, int(signalled == SIGUSR1));
    else depth(10);
    std::fflush(stdout);
    std::unique_ptr<char, decltype(&std::free)> copy(strdup("freed by free"), std::free);
    std::cout << copy.get() << ' ' << std::strtol("0x10", nullptr, 0) << ' ' << std::abs(-3.5) << '\n';
    std::tm when{};
    when.tm_year = 100, when.tm_mday = 1;
    char text[32];
    std::strftime(text, sizeof text, "%Y-%m-%d", &when);
    std::cout << text << std::endl;
    std::atexit([] { std::puts("at exit"); });
    return EXIT_SUCCESS;
}
