// A property bag whose values have any type; the bag owns, copies and gives them back.
#include <any>
#include <cassert>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <typeindex>
#include <vector>

class Bag {
  public:
    template <class T> void set(const std::string &name, T value) { values_[name] = std::move(value); }
    template <class T> const T &get(const std::string &name) const {
        return std::any_cast<const T &>(values_.at(name));
    }
    template <class T> const T *find(const std::string &name) const {
        auto at = values_.find(name);
        return at == values_.end() ? nullptr : std::any_cast<T>(&at->second);
    }
    std::type_index type(const std::string &name) const { return values_.at(name).type(); }
    size_t size() const { return values_.size(); }

  private:
    std::map<std::string, std::any> values_;
};

struct Big {
    std::vector<int> numbers;
    double weights[16];
    std::shared_ptr<int> uses;
};

int main() {
    Bag bag;
    auto uses = std::make_shared<int>(5);
    bag.set("width", 640);
    bag.set("title", std::string("main window, with a rather long title"));
    bag.set("big", Big{{1, 2, 3}, {0.5}, uses});
    bag.set("action", std::function<int(int)>([uses](int x) { return x + *uses; }));
    assert(uses.use_count() == 3);

    std::cout << bag.get<int>("width") << ' ' << bag.get<std::string>("title").size() << '\n';
    std::cout << bag.get<std::function<int(int)>>("action")(10) << '\n';
    std::cout << (bag.find<double>("width") == nullptr) << (bag.find<int>("height") == nullptr) << '\n';
    assert(bag.type("width") == std::type_index(typeid(int)));

    {
        Bag copy = bag;
        assert(uses.use_count() == 5);
        copy.set("big", 1);
        assert(uses.use_count() == 4);
        std::cout << copy.size() << ' ' << bag.get<Big>("big").numbers.size() << '\n';
    }
    assert(uses.use_count() == 3);
    try {
        bag.get<long>("width");
    } catch (const std::bad_any_cast &) {
        std::cout << "an int is no long\n";
    }
    std::any moved = std::make_any<std::vector<int>>(1000, 7);
    std::any target = std::move(moved);
    std::cout << moved.has_value() << target.has_value() << std::any_cast<std::vector<int> &>(target).back() << '\n';
    target.reset();
    assert(!target.has_value() && target.type() == typeid(void));
}
