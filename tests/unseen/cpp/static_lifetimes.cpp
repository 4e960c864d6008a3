// Objects with static storage: function statics, references that extend lives, order of destruction.
#include <array>
#include <atomic>
#include <cassert>
#include <iostream>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

struct Tracer {
    std::string name;
    explicit Tracer(std::string n) : name(std::move(n)) { std::cout << '+' << name << ' '; }
    Tracer(const Tracer &other) : name(other.name + "'") { std::cout << '+' << name << ' '; }
    Tracer(Tracer &&other) noexcept : name(std::move(other.name)) { other.name = "moved"; }
    ~Tracer() {
        if (name != "moved") std::cout << '-' << name << ' ';
    }
};

static Tracer global("global");
inline const std::map<std::string, int> table{{"one", 1}, {"two", 2}, {"a key with a long name for the heap", 3}};
constinit int constant = 5;
template <class T> struct Registry {
    static inline std::vector<std::string> names{"base"};
};

static Tracer &lazy(const char *name) {
    static Tracer object(name);
    return object;
}
static Tracer make(std::string name) { return Tracer(std::move(name)); }

struct Singleton {
    static Singleton &get() {
        static Singleton instance;
        return instance;
    }
    std::atomic<int> uses{0};

  private:
    Singleton() { made++; }
    static inline std::atomic<int> made{0};

  public:
    static int count() { return made; }
};

struct Last {
    ~Last() { std::cout << "last " << Registry<int>::names.size() << std::endl; }
};
static Last last;

int main() {
    std::cout << "main ";
    lazy("lazy"), lazy("never");
    {
        const Tracer &extended = make("extended");
        Tracer &&right = make("right");
        std::cout << extended.name.size() + right.name.size() << ' ';
    }
    for (const auto &each : std::array{Tracer("element")}) std::cout << each.name << ' ';
    std::cout << '\n';
    std::vector<std::thread> threads;
    for (int i = 0; i < 4; i++) threads.emplace_back([] { Singleton::get().uses++; });
    for (auto &thread : threads) thread.join();
    std::cout << Singleton::count() << Singleton::get().uses << table.size() << constant << '\n';
    Registry<int>::names.push_back("int");
    assert(Registry<long>::names.size() == 1);
    auto shared = std::make_shared<Tracer>("shared");
    std::weak_ptr<Tracer> weak = shared;
    shared = std::make_shared<Tracer>("second");
    std::cout << weak.expired() << '\n';
    std::atexit([] { std::cout << "atexit "; });
}
