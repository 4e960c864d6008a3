// An exception that nobody catches ends the program by std::terminate and abort.
// EXIT: 134
#include <stdexcept>

int main(int argc, char **) {
    if (argc > 0) throw std::runtime_error("nobody catches this");
    return 0;
}
