// EXIT: 0
// FLAGS: ASAN_OPTIONS=check_initialization_order=1:strict_init_order=1
// WITH: parts/init_order_names.cpp
// A function that makes the object when it is first asked for has no order to get wrong.
#include <string>
std::string &own_name();
std::string::size_type size = own_name().size();

int main() {
    return size != 45;
}
