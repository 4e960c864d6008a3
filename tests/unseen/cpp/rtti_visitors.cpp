// Dynamic types: casts across a diamond, type indexes, covariant clones, pointers to members.
#include <any>
#include <cassert>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <typeinfo>
#include <vector>

struct Node {
    virtual ~Node() = default;
    virtual std::unique_ptr<Node> clone() const = 0;
    virtual int value() const = 0;
};
struct Named : virtual Node {
    std::string name = "unnamed";
};
struct Counted : virtual Node {
    int count = 1;
};
struct Number final : Node {
    explicit Number(int n) : number(n) {}
    std::unique_ptr<Node> clone() const override { return std::make_unique<Number>(*this); }
    int value() const override { return number; }
    int number;
};
struct Both : Named, Counted {
    explicit Both(int c) { count = c; }
    std::unique_ptr<Node> clone() const override { return std::make_unique<Both>(*this); }
    int value() const override { return count * 100; }
};

class Dispatcher {
  public:
    template <class T> void on(std::function<std::string(const T &)> handler) {
        handlers_[typeid(T)] = [handler](const Node &node) { return handler(dynamic_cast<const T &>(node)); };
    }
    std::string operator()(const Node &node) const {
        auto found = handlers_.find(typeid(node));
        return found == handlers_.end() ? "?" : found->second(node);
    }

  private:
    std::map<std::type_index, std::function<std::string(const Node &)>> handlers_;
};

int main() {
    std::vector<std::unique_ptr<Node>> nodes;
    for (int i = 0; i < 4; i++) {
        if (i % 2) nodes.push_back(std::make_unique<Both>(i));
        else nodes.push_back(std::make_unique<Number>(i));
    }
    Dispatcher dispatch;
    dispatch.on<Number>([](const Number &n) { return "number " + std::to_string(n.number); });
    dispatch.on<Both>([](const Both &b) { return b.name + " " + std::to_string(b.count); });
    int sum = 0;
    for (auto &node : nodes) {
        auto copy = node->clone();
        assert(typeid(*copy) == typeid(*node) && copy.get() != node.get());
        if (auto *named = dynamic_cast<Named *>(copy.get())) {
            named->name = "a copied node with a longer name";
            auto *counted = dynamic_cast<Counted *>(named);
            assert(counted && dynamic_cast<void *>(counted) == dynamic_cast<void *>(named));
            sum += counted->count;
        }
        sum += copy->value();
        std::cout << dispatch(*copy) << '\n';
    }
    std::cout << sum << '\n';
    try {
        (void)dynamic_cast<Both &>(*nodes[0]);
        return 1;
    } catch (const std::bad_cast &) {
        std::cout << "bad cast\n";
    }
    Node *nothing = nullptr;
    try {
        std::cout << typeid(*nothing).name();
        return 1;
    } catch (const std::bad_typeid &) {
        std::cout << "bad typeid\n";
    }
    int Counted::*member = &Counted::count;
    int (Node::*method)() const = &Node::value;
    Both both(7);
    both.*member += 2;
    std::cout << both.count << ' ' << (both.*method)() << ' ' << std::invoke(method, *nodes[2]) << std::mem_fn(&Number::number)(Number(5)) << '\n';
    std::shared_ptr<Node> shared = std::make_shared<Both>(3);
    std::cout << (std::dynamic_pointer_cast<Number>(shared) == nullptr) << std::dynamic_pointer_cast<Counted>(shared)->count << shared.use_count() << '\n';
}
