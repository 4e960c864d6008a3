/* What a program without the C library needs of it for the stubs of the sanitizers' interface, and
   what every compiler may call by itself. The program's own come first. */

#define OURS __attribute__((weak, visibility("hidden")))

typedef unsigned char byte;
typedef __SIZE_TYPE__ size;

OURS void *memmove(void *to, const void *from, size n) {
    volatile byte *target = to;
    const byte *source = from;
    if ((size)to - (size)from >= n)
        for (size i = 0; i < n; i++) target[i] = source[i];
    else
        while (n--) target[n] = source[n];
    return to;
}

OURS void *memcpy(void *to, const void *from, size n) { return memmove(to, from, n); }

OURS void *memset(void *to, int value, size n) {
    for (volatile byte *target = to; n--; target++) *target = (byte)value;
    return to;
}
