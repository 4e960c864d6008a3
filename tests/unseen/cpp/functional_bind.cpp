// function, bind, invoke, references, not_fn, lambdas that are recursive, generic and mutable.
#include <algorithm>
#include <array>
#include <cassert>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>
#include <string>
#include <tuple>
#include <vector>

struct Account {
    int balance = 0;
    int deposit(int amount) { return balance += amount; }
    int fee(int percent, int extra) const { return balance * percent / 100 + extra; }
};

template <class... Fs> static auto compose(Fs... fs) {
    return [fs = std::make_tuple(fs...)](auto value) {
        return std::apply([&](auto... each) {
            ((value = each(value)), ...);
            return value;
        }, fs);
    };
}

class Events {
  public:
    using Handler = std::function<void(const std::string &, int)>;
    size_t listen(Handler handler) {
        handlers_.emplace(next_, std::move(handler));
        return next_++;
    }
    void stop(size_t id) { handlers_.erase(id); }
    void fire(const std::string &name, int value) const {
        for (const auto &[id, handler] : handlers_) handler(name, value);
    }

  private:
    std::map<size_t, Handler> handlers_;
    size_t next_ = 0;
};

int main() {
    using namespace std::placeholders;
    Account account;
    auto deposit = std::bind(&Account::deposit, &account, _1);
    auto fee = std::bind(&Account::fee, std::cref(account), _2, _1);
    deposit(200), deposit(50);
    std::cout << account.balance << ' ' << fee(3, 10) << ' ' << std::invoke(&Account::balance, account) << '\n';

    std::function<long(int)> factorial = [&](int n) { return n < 2 ? 1L : n * factorial(n - 1); };
    std::cout << factorial(15) << ' ' << compose([](int x) { return x + 1; }, [](int x) { return x * 10; })(4) << '\n';
    auto counter = [n = 0]() mutable { return ++n; };
    std::function<int()> copy = counter;
    copy(), copy();
    std::cout << copy() << counter() << '\n';
    auto state = std::make_shared<std::string>("captured by value, shared by all copies");
    std::array<std::function<size_t()>, 3> functions;
    functions.fill([state] { return state->size(); });
    std::cout << state.use_count() << ' ' << functions[2]() << '\n';
    functions[1] = nullptr;
    try {
        functions[1]();
        return 1;
    } catch (const std::bad_function_call &) {
        std::cout << "empty " << bool(functions[1]) << state.use_count() << '\n';
    }

    Events events;
    std::vector<std::string> log;
    auto first = events.listen([&log](const std::string &name, int value) { log.push_back(name + std::to_string(value)); });
    events.listen([total = 0, &log](const std::string &, int value) mutable { log.push_back("total " + std::to_string(total += value)); });
    events.fire("a", 1), events.fire("b", 2);
    events.stop(first);
    events.fire("c", 3);
    for (const auto &line : log) std::cout << line << ", ";
    std::cout << '\n';

    std::vector<int> numbers(10);
    std::iota(numbers.begin(), numbers.end(), 0);
    auto is_even = [](int n) { return n % 2 == 0; };
    std::cout << std::count_if(numbers.begin(), numbers.end(), std::not_fn(is_even)) << std::accumulate(numbers.begin(), numbers.end(), 1, [](int a, int b) { return a + b; }) << '\n';
    int a = 1, b = 2;
    std::vector<std::reference_wrapper<int>> references{a, b};
    for (int &each : references) each *= 5;
    std::tie(a, b) = std::make_tuple(b, a);
    std::cout << a << b << ' ' << std::less<>()("abc", std::string("abd")) << std::bit_and<int>()(6, 3) << '\n';
}
