// Expression templates, iterators over rows, a determinant, and the arithmetic of fractions.
#include <array>
#include <cassert>
#include <cmath>
#include <compare>
#include <cstdint>
#include <functional>
#include <initializer_list>
#include <iostream>
#include <numeric>
#include <stdexcept>
#include <vector>

class Fraction {
    int64_t n_, d_;

  public:
    constexpr Fraction(int64_t n = 0, int64_t d = 1) : n_(n), d_(d) {
        if (d == 0) throw std::domain_error("zero denominator");
        if (d_ < 0) n_ = -n_, d_ = -d_;
        if (auto g = std::gcd(n_, d_); g > 1) n_ /= g, d_ /= g;
    }
    friend constexpr Fraction operator+(Fraction a, Fraction b) { return {a.n_ * b.d_ + b.n_ * a.d_, a.d_ * b.d_}; }
    friend constexpr Fraction operator-(Fraction a, Fraction b) { return a + Fraction(-b.n_, b.d_); }
    friend constexpr Fraction operator*(Fraction a, Fraction b) { return {a.n_ * b.n_, a.d_ * b.d_}; }
    friend constexpr Fraction operator/(Fraction a, Fraction b) { return {a.n_ * b.d_, a.d_ * b.n_}; }
    friend constexpr bool operator==(Fraction, Fraction) = default;
    friend constexpr auto operator<=>(Fraction a, Fraction b) { return a.n_ * b.d_ <=> b.n_ * a.d_; }
    friend std::ostream &operator<<(std::ostream &out, Fraction f) {
        out << f.n_;
        return f.d_ == 1 ? out : out << '/' << f.d_;
    }
};

template <class L, class R, class Op> struct Sum {
    const L &left;
    const R &right;
    auto operator()(size_t r, size_t c) const { return Op()(left(r, c), right(r, c)); }
    size_t size() const { return left.size(); }
};

template <class T> class Square {
    size_t n_;
    std::vector<T> cells_;

  public:
    explicit Square(size_t n) : n_(n), cells_(n * n) {}
    Square(std::initializer_list<std::initializer_list<T>> rows) : Square(rows.size()) {
        size_t at = 0;
        for (const auto &row : rows)
            for (const auto &cell : row) cells_.at(at++) = cell;
    }
    template <class L, class R, class Op> Square(const Sum<L, R, Op> &sum) : Square(sum.size()) {
        for (size_t r = 0; r < n_; r++)
            for (size_t c = 0; c < n_; c++) (*this)(r, c) = sum(r, c);
    }
    T &operator()(size_t r, size_t c) { return cells_[r * n_ + c]; }
    const T &operator()(size_t r, size_t c) const { return cells_[r * n_ + c]; }
    size_t size() const { return n_; }
    T determinant() const {
        Square m(*this);
        T result = T(1);
        for (size_t k = 0; k < n_; k++) {
            size_t pivot = k;
            while (pivot < n_ && m(pivot, k) == T(0)) pivot++;
            if (pivot == n_) return T(0);
            if (pivot != k) {
                for (size_t c = 0; c < n_; c++) std::swap(m(k, c), m(pivot, c));
                result = T(0) - result;
            }
            result = result * m(k, k);
            for (size_t r = k + 1; r < n_; r++) {
                T factor = m(r, k) / m(k, k);
                for (size_t c = k; c < n_; c++) m(r, c) = m(r, c) - factor * m(k, c);
            }
        }
        return result;
    }
    friend Square operator*(const Square &a, const Square &b) {
        Square out(a.n_);
        for (size_t r = 0; r < a.n_; r++)
            for (size_t c = 0; c < a.n_; c++)
                for (size_t k = 0; k < a.n_; k++) out(r, c) = out(r, c) + a(r, k) * b(k, c);
        return out;
    }
};
template <class T> static Sum<Square<T>, Square<T>, std::plus<>> operator+(const Square<T> &left, const Square<T> &right) {
    return {left, right};
}

int main() {
    Square<Fraction> hilbert(5);
    for (size_t r = 0; r < 5; r++)
        for (size_t c = 0; c < 5; c++) hilbert(r, c) = Fraction(1, int64_t(r + c + 1));
    std::cout << hilbert.determinant() << '\n';
    Square<double> a{{0, 2, 1}, {1, 1, 0}, {3, 0, 1}}, identity{{1, 0, 0}, {0, 1, 0}, {0, 0, 1}};
    Square<double> sum = a + identity, product = a * sum;
    std::cout << a.determinant() << ' ' << sum(0, 0) << ' ' << product(2, 1) << ' ' << product.determinant() << '\n';
    Square<long> fibonacci{{1, 1}, {1, 0}}, power{{1, 0}, {0, 1}};
    for (int n = 50; n; n /= 2, fibonacci = n ? fibonacci * fibonacci : fibonacci)
        if (n % 2) power = power * fibonacci;
    std::cout << power(0, 1) << '\n';
    static_assert(Fraction(1, 2) + Fraction(1, 3) == Fraction(5, 6) && Fraction(-1, 2) < Fraction(1, 3));
    try {
        std::cout << Fraction(1) / Fraction(0);
        return 1;
    } catch (const std::domain_error &error) {
        std::cout << error.what() << ' ' << Fraction(6, -4) << '\n';
    }
}
