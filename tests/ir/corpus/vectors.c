/* Vectors: arithmetic, shuffles, comparisons, loops the vectoriser likes. */
typedef float f4 __attribute__((vector_size(16)));
typedef int i4 __attribute__((vector_size(16)));
typedef unsigned char b16 __attribute__((vector_size(16)));

f4 blend(f4 a, f4 b) { return __builtin_shufflevector(a, b, 0, 5, 2, 7) * 2.0f; }
i4 compare(f4 a, f4 b) { return a < b; }
i4 pick(i4 a, int n, int v) { a[n & 3] = v; return a + (i4){1, 2, 3, 4}; }
b16 bytes(b16 a) { return a ^ (b16){255, 1, 2, 3}; }
f4 convert(i4 a) { return __builtin_convertvector(a, f4); }

void saxpy(float *restrict y, const float *restrict x, float a, int n) {
  for (int i = 0; i < n; i++) y[i] = a * x[i] + y[i];
}
int reduce(const int *x, int n) {
  int best = 0, total = 0;
  for (int i = 0; i < n; i++) { total += x[i]; if (x[i] > best) best = x[i]; }
  return total ^ best;
}
#pragma clang fp contract(fast) reassociate(on)
double dot(const double *a, const double *b, int n) {
  double r = 0;
#pragma clang loop unroll_count(4)
  for (int i = 0; i < n; i++) r += a[i] * b[i];
  return r;
}
