/* Arithmetic of every width and kind, casts, comparisons, switches, loops. */
#include <math.h>
#include <stdint.h>

typedef unsigned __int128 u128;
typedef struct { uint8_t tag; uint32_t bits : 5, more : 11; double weight; } packet;
struct __attribute__((packed)) tight { char c; int i; short s; };
union either { long as_long; double as_double; };

static const double table[4] = {1.0, 2.5, -0.0, INFINITY};
static const char *const names[] = {"zero", "one", "tw\xc3\xb6", 0};
long double extended = 3.14159265358979323846264338327950288L;
_Float16 half_value = 1.5f16;
float tiny = 1e-45f;
struct tight packed_value = {'x', 7, 9};

u128 wide_multiply(uint64_t a, uint64_t b) { return (u128)a * b + (u128)1 << 100; }

int signs(int a, int b, unsigned c, unsigned d) {
  int x = (a + b) * (a - b) / (b ? b : 1) % 17;
  unsigned y = (c << 3 | d >> 5) ^ (c & d);
  return x < (int)y ? -x : ~x >> 2;
}

double floats(double a, float b, long double c) {
  double r = a * b + fabs(a) - sqrt(b);
  if (a != a || b > 3.0f) r = -r;
  return r + (double)(c / 2.0L) + table[(int)a & 3];
}

int choose(long n) {
  switch (n) {
  case 0: return 10;
  case 1: case 2: case 3: return 20;
  case 100: return 30;
  case -5: return 40;
  case 0x123456789L: return 50;
  default: return (int)n;
  }
}

const char *name_of(unsigned n) { return n < 3 ? names[n] : names[3]; }
unsigned field(packet *p) { p->bits += 3; p->more ^= p->bits; return p->more; }
double pun(long v) { union either e = {.as_long = v}; return e.as_double; }

int computed(int n) {
  static void *const labels[] = {&&zero, &&one, &&done};
  int r = 0;
  goto *labels[n % 3];
zero: r += 1;
one: r += 2;
done: return r;
}
