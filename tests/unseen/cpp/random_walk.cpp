// Engines and distributions: sequences that the standard fixes, ranges that it promises.
#include <algorithm>
#include <array>
#include <cassert>
#include <cmath>
#include <iostream>
#include <numeric>
#include <random>
#include <sstream>
#include <vector>

template <class Distribution> static double mean(Distribution distribution, int n = 2000) {
    std::mt19937 engine(99);
    double sum = 0;
    for (int i = 0; i < n; i++) sum += static_cast<double>(distribution(engine));
    return sum / n;
}

int main() {
    std::mt19937 a;
    std::mt19937_64 b;
    std::minstd_rand c;
    a.discard(9999), b.discard(9999), c.discard(9999);
    std::cout << a() << ' ' << b() << ' ' << c() << '\n';
    std::ranlux24 d;
    std::knuth_b e;
    d.discard(9999), e.discard(9999);
    std::cout << d() << ' ' << e() << '\n';

    std::mt19937 saved(7);
    saved.discard(100);
    std::stringstream state;
    state << saved;
    std::mt19937 restored;
    state >> restored;
    assert(saved == restored && saved() == restored());

    assert(std::abs(mean(std::uniform_int_distribution<int>(1, 6)) - 3.5) < 0.2);
    assert(std::abs(mean(std::uniform_real_distribution<double>(-1, 1))) < 0.1);
    assert(std::abs(mean(std::normal_distribution<double>(10, 2)) - 10) < 0.3);
    assert(std::abs(mean(std::bernoulli_distribution(0.25)) - 0.25) < 0.05);
    assert(std::abs(mean(std::poisson_distribution<int>(4)) - 4) < 0.3);
    assert(std::abs(mean(std::exponential_distribution<double>(0.5)) - 2) < 0.3);
    assert(std::abs(mean(std::binomial_distribution<int>(20, 0.3)) - 6) < 0.3);
    assert(std::abs(mean(std::geometric_distribution<int>(0.5)) - 1) < 0.2);

    std::discrete_distribution<int> weighted({1, 0, 3});
    std::array<int, 3> hits{};
    std::mt19937 engine(3);
    for (int i = 0; i < 1000; i++) hits[static_cast<size_t>(weighted(engine))]++;
    assert(hits[1] == 0 && hits[2] > 2 * hits[0]);

    std::vector<int> deck(52), drawn;
    std::iota(deck.begin(), deck.end(), 0);
    std::shuffle(deck.begin(), deck.end(), engine);
    std::sample(deck.begin(), deck.end(), std::back_inserter(drawn), 5, engine);
    assert(drawn.size() == 5 && std::accumulate(deck.begin(), deck.end(), 0) == 52 * 51 / 2);
    std::seed_seq seeds{1, 2, 3};
    std::array<std::uint32_t, 4> words;
    seeds.generate(words.begin(), words.end());
    std::cout << words[0] << ' ' << words[3] << '\n';
    std::random_device device;
    std::cout << (device.max() > device.min()) << (device() <= device.max()) << '\n';
    std::piecewise_constant_distribution<double> steps({0.0, 1.0, 2.0}, [](double x) { return x + 1; });
    std::cout << (steps(engine) <= 2.0) << '\n';
}
