// A stream writes through a buffer that is gone.
#include <iostream>
#include <memory>
#include <sstream>

int main() {
    auto buffer = std::make_unique<std::stringbuf>();
    std::ostream log(buffer.get());
    log << "first";
#ifndef FIXED
    buffer.reset(); // FREED
#endif
    log << "second"; // EXPECT: heap-use-after-free
    std::cout << log.good() << '\n';
}
