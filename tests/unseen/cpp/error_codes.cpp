// error_code, error_condition, categories of the program's own, expected-like results.
#include <cassert>
#include <cerrno>
#include <iostream>
#include <string>
#include <system_error>
#include <type_traits>
#include <variant>
#include <vector>

enum class ParseError { ok, empty, bad_digit, too_big };
template <> struct std::is_error_code_enum<ParseError> : std::true_type {};
enum class Severity { harmless = 1, serious };
template <> struct std::is_error_condition_enum<Severity> : std::true_type {};

class ParseCategory : public std::error_category {
  public:
    const char *name() const noexcept override { return "parse"; }
    std::string message(int code) const override {
        switch (static_cast<ParseError>(code)) {
        case ParseError::ok: return "ok";
        case ParseError::empty: return "the text is empty";
        case ParseError::bad_digit: return "there is a character that is no digit";
        case ParseError::too_big: return "the number is too big";
        }
        return "unknown";
    }
};
static const ParseCategory parse_category;
std::error_code make_error_code(ParseError error) { return {static_cast<int>(error), parse_category}; }

class SeverityCategory : public std::error_category {
  public:
    const char *name() const noexcept override { return "severity"; }
    std::string message(int) const override { return "severity"; }
    bool equivalent(const std::error_code &code, int condition) const noexcept override {
        bool harmless = code == ParseError::empty || code == std::errc::no_such_file_or_directory;
        return condition == static_cast<int>(Severity::harmless) ? harmless : bool(code) && !harmless;
    }
};
static const SeverityCategory severity_category;
std::error_condition make_error_condition(Severity s) { return {static_cast<int>(s), severity_category}; }

template <class T> using Result = std::variant<T, std::error_code>;

static Result<int> parse(const std::string &text) {
    if (text.empty()) return ParseError::empty;
    int value = 0;
    for (char c : text) {
        if (c < '0' || c > '9') return ParseError::bad_digit;
        if (value > 99999) return make_error_code(ParseError::too_big);
        value = value * 10 + (c - '0');
    }
    return value;
}

int main() {
    for (const char *text : {"42", "", "4x", "12345678"}) {
        auto result = parse(text);
        if (auto *value = std::get_if<int>(&result)) std::cout << *value << '\n';
        else {
            auto code = std::get<std::error_code>(result);
            std::cout << code.category().name() << ": " << code.message() << (code == Severity::harmless ? " (harmless)" : "") << '\n';
        }
    }
    std::error_code missing(ENOENT, std::generic_category()), denied(EACCES, std::system_category());
    assert(missing == Severity::harmless && denied == Severity::serious && denied == std::errc::permission_denied && missing != denied);
    try {
        throw std::system_error(ParseError::bad_digit, "reading line 7");
    } catch (const std::system_error &error) {
        std::cout << error.what() << ' ' << error.code().value() << '\n';
    }
    std::error_code code;
    assert(!code && code.category() == std::system_category());
    code = ParseError::too_big;
    std::cout << bool(code) << (code == std::error_code(3, parse_category)) << std::generic_category().message(EINVAL) << '\n';
    code.clear();
    assert(!code);
}
