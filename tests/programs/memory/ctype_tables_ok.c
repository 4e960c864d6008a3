// What isalpha, tolower and toupper read: tables of the C library, in two locales and two threads.
// STDOUT: 52 26 26 52
#include <ctype.h>
#include <locale.h>
#include <pthread.h>
#include <stdio.h>

static int letters(void) {
    int found = 0;
    for (int c = 0; c < 128; c++) found += ((*__ctype_b_loc())[c] & _ISalpha) != 0;
    return found;
}

static int changed(const __int32_t *table) {
    int found = 0;
    for (int c = 0; c < 128; c++) found += table[c] != c;
    return found;
}

static void *count(void *found) {
    *(int *)found = letters();
    return NULL;
}

int main(void) {
    int there;
    pthread_t other;
    int here = letters();
    setlocale(LC_ALL, "C.UTF-8");
    pthread_create(&other, NULL, count, &there);
    pthread_join(other, NULL);
    printf("%d %d %d %d\n", here, changed(*__ctype_tolower_loc()), changed(*__ctype_toupper_loc()),
           there);
    return 0;
}
