// Optional values through a small parser: nothing, a value, a value that is moved out.
#include <cassert>
#include <cctype>
#include <iostream>
#include <map>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

static std::optional<int> to_int(std::string_view text) {
    if (text.empty()) return std::nullopt;
    bool negative = text.front() == '-';
    if (negative) text.remove_prefix(1);
    int value = 0;
    if (text.empty()) return {};
    for (char c : text) {
        if (!std::isdigit(static_cast<unsigned char>(c))) return {};
        value = value * 10 + (c - '0');
    }
    return negative ? -value : value;
}

struct Config {
    std::optional<std::string> name;
    std::optional<int> port;
    std::optional<std::vector<std::string>> hosts;
};

static Config parse(const std::vector<std::string> &lines) {
    Config config;
    for (const auto &line : lines) {
        auto cut = line.find('=');
        if (cut == std::string::npos) continue;
        std::string key = line.substr(0, cut), value = line.substr(cut + 1);
        if (key == "name") config.name = value;
        else if (key == "port") config.port = to_int(value);
        else if (key == "host") {
            if (!config.hosts) config.hosts.emplace();
            config.hosts->push_back(value);
        }
    }
    return config;
}

int main() {
    Config full = parse({"name=server", "port=8080", "host=one", "noise", "host=two.example.org.with.a.long.name"});
    Config bare = parse({"port=80x"});
    std::cout << full.name.value_or("none") << ' ' << full.port.value_or(-1) << ' ' << full.hosts->size() << '\n';
    std::cout << bare.name.value_or("none") << ' ' << bare.port.value_or(-1) << ' ' << bare.hosts.has_value() << '\n';
    try {
        (void)bare.port.value();
    } catch (const std::bad_optional_access &) {
        std::cout << "no port\n";
    }
    std::optional<std::string> taken = std::move(full.name);
    assert(taken == "server" && full.name.has_value());
    full.name.reset();
    std::swap(taken, full.name);
    assert(!taken && full.name);
    int total = 0;
    for (std::string_view word : {"12", "-7", "", "x", "-", "95"})
        if (auto number = to_int(word)) total += *number;
    std::cout << "total " << total << '\n';
    std::optional<std::optional<int>> nested = std::optional<int>{};
    std::cout << nested.has_value() << nested->has_value() << (std::optional<int>(3) < std::optional<int>(4)) << '\n';
}
