// An exception that nobody catches is a finding at the place that has thrown it.
// NATIVE: miss handle_abort is off there
#include <stdexcept>

int main(int argc, char **) {
    if (argc > 0) throw std::runtime_error("nobody catches this"); // EXPECT: ABRT
    return 0;
}
