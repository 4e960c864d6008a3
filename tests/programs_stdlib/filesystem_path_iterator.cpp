// An iterator over the parts of a path that is gone.
#include <filesystem>
#include <iostream>

static std::filesystem::path folder() {
    return "/usr/share/a folder with a long name/documents";
}

int main() {
#ifdef FIXED
    auto path = folder();
    auto part = path.begin();
#else
    auto part = folder().begin();
#endif
    ++part; // EXPECT: heap-use-after-free|stack-use-after-scope
    std::cout << part->string() << '\n';
}
