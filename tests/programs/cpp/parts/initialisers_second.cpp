#include "initialisers.h"

__attribute__((constructor(300))) static void at_300() { log_of_order() += " second300"; }

inline int two = [] { return 2; }();
static int value_of_two = two;

thread_local std::string whole = first_of_thread + "+second";

const std::string &whole_of_thread() { return whole; }
int second_value() { return value_of_two; }
