// Initialisers run as object files ask: by priority, then by unit, then as they stand; a variable
// that both units define is initialised once, where the first has it.  The order is clang's.
// WITH: parts/initialisers_second.cpp
// STDOUT: c101 own150 shared200 c300 second300 shared-inline keeper template base! other
// STDOUT: thread main: first+second
// STDOUT: thread worker: first+second
// STDOUT: bye-default bye101
#include "parts/initialisers.h"

#include <cstdio>
#include <thread>

std::string &log_of_order() {
    static std::string text;
    return text;
}

inline const std::string base = "base string of some length"; // before `derived`: it stands first
static const std::string derived = base + "!";
static Note note_of_base(derived.back() == '!' ? "base!" : "wrong");
inline Note keeper("keeper");
template <class T> struct Registered {
    static inline Note note{"template"};
    static void touch() { (void)&note; }
};
static Note other((Registered<int>::touch(), "other"));
__attribute__((init_priority(150))) Note own("own150");
__attribute__((constructor(300))) static void at_300() { log_of_order() += " c300"; }
__attribute__((constructor(101))) static void at_101() { log_of_order() += " c101"; }
__attribute__((destructor(101))) static void bye_101() { puts("bye101"); }
__attribute__((destructor)) static void bye() { printf("bye-default "); }

thread_local std::string first_of_thread = "first";

static void show(const char *who) { printf("thread %s: %s\n", who, whole_of_thread().c_str()); }

int main() {
    puts(log_of_order().c_str() + 1);
    show("main");
    std::thread([] { show("worker"); }).join();
    return second_value() == 2 ? 0 : 1;
}
