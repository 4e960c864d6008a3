// Bit sets and <bit>: a sieve, masks, counting, rotation, endianness.
#include <bit>
#include <bitset>
#include <cassert>
#include <cstdint>
#include <cstring>
#include <iostream>
#include <string>
#include <vector>

static std::bitset<1000> sieve() {
    std::bitset<1000> prime;
    prime.set().reset(0).reset(1);
    for (size_t i = 2; i * i < prime.size(); i++)
        if (prime[i])
            for (size_t k = i * i; k < prime.size(); k += i) prime.reset(k);
    return prime;
}

enum Permission { read, write, execute, n_permissions };

int main() {
    auto prime = sieve();
    std::cout << prime.count() << ' ' << prime.test(997) << prime[999] << '\n';
    std::bitset<8> a("10110010"), b(0x0f);
    std::cout << (a & b) << ' ' << (a | b) << ' ' << (a ^ b) << ' ' << ~a << ' ' << (a << 2) << ' ' << (a >> 3) << '\n';
    std::cout << a.to_ulong() << ' ' << a.to_string('.', '#') << ' ' << a.any() << a.all() << a.none() << '\n';
    try {
        (void)a.test(8);
        return 1;
    } catch (const std::out_of_range &) {
        std::cout << "out of range\n";
    }
    try {
        std::bitset<4> bad(std::string("01x1"));
        return 1;
    } catch (const std::invalid_argument &) {
        std::cout << "invalid\n";
    }
    std::bitset<n_permissions> mode;
    mode.set(read).set(execute).flip(write).flip(execute);
    std::cout << mode << '\n';

    assert(std::popcount(0xf0f0u) == 8 && std::countl_zero(uint32_t{1}) == 31 && std::countr_zero(40u) == 3);
    assert(std::rotl(uint8_t{0x81}, 1) == 0x03 && std::rotr(uint16_t{1}, 1) == 0x8000);
    assert(std::has_single_bit(64u) && std::bit_ceil(65u) == 128 && std::bit_floor(65u) == 64 && std::bit_width(255u) == 8);
    auto bits = std::bit_cast<uint64_t>(1.5);
    std::cout << std::hex << bits << std::dec << ' ' << std::bit_cast<double>(bits) << '\n';
    std::cout << (std::endian::native == std::endian::little) << '\n';
    std::vector<bool> flags(130);
    for (size_t i = 0; i < flags.size(); i += 3) flags[i] = true;
    flags.flip();
    flags.push_back(true);
    auto reference = flags[1];
    reference = false;
    size_t on = 0;
    for (bool flag : flags) on += flag;
    std::cout << on << ' ' << flags.size() << ' ' << std::hash<std::bitset<8>>()(a) - std::hash<std::bitset<8>>()(a) << '\n';
}
