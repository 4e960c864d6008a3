// Everything has an owner: containers, smart pointers, statics, thread-locals, functions.
// EXIT: 0
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <thread>
#include <vector>

static std::vector<std::string> names;
static auto *table = new std::map<std::string, std::shared_ptr<int>>;
static std::function<int()> question;
static thread_local std::string own;

static const std::string &greeting() {
    static std::string *text = new std::string("a text that is too long for its own object");
    return *text;
}

int main() {
    for (int i = 0; i < 50; i++) {
        names.push_back("a name that needs memory of its own " + std::to_string(i));
        (*table)[names.back()] = std::make_shared<int>(i);
    }
    auto shared = std::make_unique<std::vector<int>>(100, 7);
    std::shared_ptr<std::vector<int>> moved = std::move(shared);
    question = [moved] { return (*moved)[3]; };
    own = greeting() + " and more";
    std::thread([text = greeting()] { own = text + "!"; }).join();
    return question() - 7;
}
