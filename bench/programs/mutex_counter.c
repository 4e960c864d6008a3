// Four threads book on four accounts, each under its own mutex: lock and unlock, little else.
// SIZE: default 10000000, smoke 100000
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>

#ifndef THREADS
#define THREADS 4
#endif
enum { ACCOUNTS = 4 };

static struct account {
    pthread_mutex_t lock;
    long balance, bookings;
} accounts[ACCOUNTS];

static long bookings_all;

static void *clerk(void *argument) {
    unsigned state = *(unsigned *)argument;
    for (long i = 0; i < bookings_all / THREADS; i++) {
        state = state * 1664525u + 1013904223u;
        struct account *account = &accounts[state >> 30];
        pthread_mutex_lock(&account->lock);
        account->balance += (long)(state & 255);
        account->bookings += 1;
        pthread_mutex_unlock(&account->lock);
    }
    return NULL;
}

int main(int argc, char **argv) {
    bookings_all = 4 * (argc > 1 ? atol(argv[1]) : 10000000);
    pthread_t clerks[THREADS];
    unsigned seeds[THREADS];
    long balance = 0, bookings = 0;
    for (int i = 0; i < ACCOUNTS; i++) pthread_mutex_init(&accounts[i].lock, NULL);
    for (int i = 0; i < THREADS; i++) {
        seeds[i] = i + 1u;
        if (pthread_create(&clerks[i], NULL, clerk, &seeds[i])) return 1;
    }
    for (int i = 0; i < THREADS; i++) pthread_join(clerks[i], NULL);
    for (int i = 0; i < ACCOUNTS; i++) {
        balance += accounts[i].balance;
        bookings += accounts[i].bookings;
        pthread_mutex_destroy(&accounts[i].lock);
    }
    printf("mutex_counter %ld %ld %ld\n", bookings_all, bookings, balance);
    return 0;
}
