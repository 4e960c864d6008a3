// dynamic_cast down, across and failing; typeid of polymorphic objects; bad_cast.
// STDOUT: dog cat? no; cross yes; same type no; bad_cast
#include <iostream>
#include <memory>
#include <typeinfo>

struct Animal {
    virtual ~Animal() = default;
};

struct Pet {
    virtual ~Pet() = default;
};

struct Dog : Animal, Pet {};
struct Cat : Animal {};

int main() {
    std::unique_ptr<Animal> dog = std::make_unique<Dog>(), cat = std::make_unique<Cat>();
    const Animal &first = *dog, &second = *cat;
    std::cout << (dynamic_cast<Dog *>(dog.get()) ? "dog" : "?");
    std::cout << " cat? " << (dynamic_cast<Cat *>(dog.get()) ? "yes" : "no");
    std::cout << "; cross " << (dynamic_cast<Pet *>(dog.get()) ? "yes" : "no");
    std::cout << "; same type " << (typeid(first) == typeid(second) ? "yes" : "no");
    try {
        (void)dynamic_cast<Dog &>(*cat);
    } catch (const std::bad_cast &) {
        std::cout << "; bad_cast\n";
    }
    return 0;
}
