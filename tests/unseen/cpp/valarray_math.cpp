// valarray with slices and masks, complex numbers, numeric algorithms and ratios.
#include <cassert>
#include <cmath>
#include <complex>
#include <functional>
#include <iomanip>
#include <iostream>
#include <numeric>
#include <ratio>
#include <valarray>
#include <vector>

static void transform(std::valarray<std::complex<double>> &x) {
    const size_t n = x.size();
    if (n <= 1) return;
    std::valarray<std::complex<double>> even = x[std::slice(0, n / 2, 2)], odd = x[std::slice(1, n / 2, 2)];
    transform(even), transform(odd);
    for (size_t k = 0; k < n / 2; k++) {
        auto t = std::polar(1.0, -2 * std::acos(-1.0) * double(k) / double(n)) * odd[k];
        x[k] = even[k] + t;
        x[k + n / 2] = even[k] - t;
    }
}

int main() {
    std::valarray<double> v = {1, 4, 9, 16, 25, 36};
    std::valarray<double> roots = std::sqrt(v) * 2.0 + 1.0;
    std::cout << roots.sum() << ' ' << roots.max() << ' ' << (v / roots).min() << '\n';
    v[v > 10.0] = 0;
    std::cout << v.sum() << ' ' << v.shift(1)[0] << v.cshift(-1)[3] << '\n';
    std::valarray<int> grid(12);
    std::iota(std::begin(grid), std::end(grid), 0);
    std::valarray<int> column = grid[std::slice(1, 3, 4)];
    std::valarray<int> block = grid[std::gslice(1, {2, 2}, {4, 1})];
    std::cout << column[0] << column[1] << column[2] << ' ' << block.sum() << '\n';
    grid[std::slice(0, 3, 4)] *= std::valarray<int>{10, 10, 10};
    std::valarray<size_t> picks = {0, 4, 8};
    std::cout << std::valarray<int>(grid[picks]).max() << ' ' << grid.apply([](int x) { return x % 3; }).sum() << '\n';

    std::valarray<std::complex<double>> signal(16);
    for (size_t i = 0; i < signal.size(); i++) signal[i] = std::cos(2 * std::acos(-1.0) * 3 * double(i) / 16);
    transform(signal);
    std::cout << std::fixed << std::setprecision(3);
    for (size_t k : {2, 3, 4, 13}) std::cout << std::abs(signal[k]) << ' ';
    std::cout << '\n' << std::pow(std::complex<double>(0, 1), 2).real() << ' ' << std::norm(std::complex<float>(3, 4)) << '\n';

    std::vector<int> numbers(10);
    std::iota(numbers.begin(), numbers.end(), 1);
    std::vector<int> sums(10), differences(10);
    std::partial_sum(numbers.begin(), numbers.end(), sums.begin());
    std::adjacent_difference(sums.begin(), sums.end(), differences.begin());
    assert(differences == numbers);
    std::exclusive_scan(numbers.begin(), numbers.end(), sums.begin(), 100);
    std::cout << sums.back() << ' ' << std::reduce(numbers.begin(), numbers.end(), 1L, std::multiplies<>()) << '\n';
    std::cout << std::transform_reduce(numbers.begin(), numbers.end(), sums.begin(), 0L) << ' ' << std::gcd(84, 36) << std::lcm(4, 6) << ' ' << std::midpoint(3, 8) << '\n';
    using third = std::ratio_add<std::ratio<1, 4>, std::ratio<1, 12>>;
    std::cout << third::num << '/' << third::den << ' ' << std::hypot(2.0, 3.0, 6.0) << ' ' << std::lerp(1.0, 3.0, 0.25) << '\n';
}
