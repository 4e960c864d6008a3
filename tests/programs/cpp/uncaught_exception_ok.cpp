// A terminate handler of the program runs first, as natively, and ends it in its own way.
// STDOUT: given up: nobody catches this
// EXIT: 4
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <stdexcept>

static void give_up() {
    try {
        throw; // what nobody has caught
    } catch (const std::exception &error) {
        std::printf("given up: %s\n", error.what());
    }
    std::fflush(stdout);
    std::_Exit(4);
}

int main(int argc, char **) {
    std::set_terminate(give_up);
    if (argc > 0) throw std::runtime_error("nobody catches this");
    return 0;
}
