// A tree of files is made, walked, renamed, copied and removed.
#include <algorithm>
#include <cassert>
#include <filesystem>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <unistd.h>
#include <vector>
namespace fs = std::filesystem;

static void write(const fs::path &path, const std::string &text) {
    fs::create_directories(path.parent_path());
    std::ofstream(path) << text;
}

static std::vector<std::string> listing(const fs::path &root) {
    std::vector<std::string> names;
    for (const auto &entry : fs::recursive_directory_iterator(root)) {
        std::string name = entry.path().lexically_relative(root).generic_string();
        if (entry.is_regular_file()) name += ":" + std::to_string(entry.file_size());
        if (entry.is_symlink()) name += "->" + fs::read_symlink(entry.path()).string();
        names.push_back(name);
    }
    std::sort(names.begin(), names.end());
    return names;
}

int main() {
    fs::path root = fs::temp_directory_path() / ("tree_" + std::to_string(getpid()));
    fs::remove_all(root);
    write(root / "a" / "one.txt", "first file\n");
    write(root / "a" / "b" / "two.txt", std::string(3000, 'x'));
    write(root / "c" / "three.md", "# head\n");
    fs::create_symlink("one.txt", root / "a" / "link");
    for (const auto &name : listing(root)) std::cout << name << '\n';

    fs::rename(root / "c" / "three.md", root / "a" / "3.md");
    fs::copy(root / "a", root / "copy", fs::copy_options::recursive | fs::copy_options::copy_symlinks);
    fs::resize_file(root / "copy" / "b" / "two.txt", 10);
    assert(fs::file_size(root / "a" / "b" / "two.txt") == 3000);
    assert(fs::equivalent(root / "a" / "link", root / "a" / "one.txt"));
    assert(fs::is_empty(root / "c"));
    fs::permissions(root / "copy" / "3.md", fs::perms::owner_write, fs::perm_options::remove);
    assert((fs::status(root / "copy" / "3.md").permissions() & fs::perms::owner_write) == fs::perms::none);
    for (const auto &name : listing(root)) std::cout << name << '\n';

    auto stamp = fs::last_write_time(root / "a" / "one.txt");
    fs::last_write_time(root / "a" / "one.txt", stamp - std::chrono::hours(1));
    assert(fs::last_write_time(root / "a" / "one.txt") < stamp);
    std::error_code error;
    assert(!fs::remove(root / "absent", error) && !error);
    fs::create_directory(root / "a" / "one.txt" / "x", error);
    std::cout << (error == std::errc::not_a_directory) << '\n';
    try {
        (void)fs::file_size(root / "absent");
    } catch (const fs::filesystem_error &wrong) {
        std::cout << wrong.code().value() << ' ' << wrong.path1().filename() << '\n';
    }
    fs::path odd = "/x/./y/../z//file.tar.gz";
    std::cout << odd.lexically_normal() << odd.stem() << odd.extension() << odd.relative_path() << '\n';
    std::cout << fs::remove_all(root) << ' ' << fs::exists(root) << '\n';
}
