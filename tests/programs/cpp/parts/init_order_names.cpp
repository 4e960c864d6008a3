// An object of another module that a constructor initialises.
#include <string>
std::string name("a name that is too long to lie in the string object itself");
std::string &own_name() {
    static std::string own("a name that is made when somebody asks for it");
    return own;
}
