// A calculator: tokens, a recursive descent parser into a tree of variants, evaluation with names.
#include <algorithm>
#include <cctype>
#include <cmath>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <stdexcept>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

struct Node;
using Tree = std::unique_ptr<Node>;
struct Binary {
    char op;
    Tree left, right;
};
struct Call {
    std::string name;
    std::vector<Tree> arguments;
};
struct Node {
    std::variant<double, std::string, Binary, Call> content;
};

class Parser {
  public:
    explicit Parser(std::string_view text) : text_(text) {}
    Tree parse() {
        Tree tree = sum();
        if (peek()) throw std::runtime_error("unexpected '" + std::string(1, peek()) + "' at " + std::to_string(at_));
        return tree;
    }

  private:
    char peek() {
        while (at_ < text_.size() && std::isspace(static_cast<unsigned char>(text_[at_]))) at_++;
        return at_ < text_.size() ? text_[at_] : '\0';
    }
    template <class... Args> static Tree make(Args &&...args) { return std::make_unique<Node>(Node{std::forward<Args>(args)...}); }
    Tree sum() {
        Tree left = product();
        while (peek() == '+' || peek() == '-') {
            char op = text_[at_++];
            left = make(Binary{op, std::move(left), product()});
        }
        return left;
    }
    Tree product() {
        Tree left = factor();
        while (peek() == '*' || peek() == '/' || peek() == '^') {
            char op = text_[at_++];
            left = make(Binary{op, std::move(left), factor()});
        }
        return left;
    }
    Tree factor() {
        char c = peek();
        if (c == '(') {
            at_++;
            Tree inner = sum();
            expect(')');
            return inner;
        }
        if (std::isdigit(static_cast<unsigned char>(c))) {
            size_t used;
            double value = std::stod(std::string(text_.substr(at_)), &used);
            at_ += used;
            return make(value);
        }
        std::string name;
        while (std::isalnum(static_cast<unsigned char>(peek()))) name += text_[at_++];
        if (name.empty()) throw std::runtime_error("nothing at " + std::to_string(at_));
        if (peek() != '(') return make(std::move(name));
        at_++;
        Call call{std::move(name), {}};
        do call.arguments.push_back(sum());
        while (peek() == ',' && ++at_);
        expect(')');
        return make(std::move(call));
    }
    void expect(char c) {
        if (peek() != c) throw std::runtime_error(std::string("missing ") + c);
        at_++;
    }
    std::string_view text_;
    size_t at_ = 0;
};

static const std::map<std::string, std::function<double(const std::vector<double> &)>> functions = {
    {"sqrt", [](const auto &a) { return std::sqrt(a.at(0)); }},
    {"max", [](const auto &a) { double m = a.at(0); for (double x : a) m = std::max(m, x); return m; }},
};

static double evaluate(const Node &node, const std::map<std::string, double> &names) {
    if (auto *value = std::get_if<double>(&node.content)) return *value;
    if (auto *name = std::get_if<std::string>(&node.content)) return names.at(*name);
    if (auto *call = std::get_if<Call>(&node.content)) {
        std::vector<double> values;
        for (const auto &argument : call->arguments) values.push_back(evaluate(*argument, names));
        return functions.at(call->name)(values);
    }
    const auto &[op, left, right] = std::get<Binary>(node.content);
    double a = evaluate(*left, names), b = evaluate(*right, names);
    return op == '+' ? a + b : op == '-' ? a - b : op == '*' ? a * b : op == '/' ? a / b : std::pow(a, b);
}

int main() {
    std::map<std::string, double> names{{"x", 3}, {"aratherlongvariablename", 0.5}};
    for (const char *text : {"1 + 2 * 3", "(1+2)*x^2 - sqrt(16)", "max(1, x, 2) / aratherlongvariablename", "2 * (3", "4 $ 4", "unknown + 1", "sqrt()"}) {
        try {
            std::cout << evaluate(*Parser(text).parse(), names) << '\n';
        } catch (const std::out_of_range &) {
            std::cout << "unknown name\n";
        } catch (const std::runtime_error &error) {
            std::cout << error.what() << '\n';
        }
    }
}
