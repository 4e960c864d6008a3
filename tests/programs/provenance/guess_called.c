// Functions of the program that are called by pointer expose nothing of what they get, nor do
// locks: the number is guessed.
// NATIVE: skip no native tool follows pointers
#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>

struct item {
    pthread_mutex_t lock;
    long value;
};

static void add(struct item *one)
{
    pthread_mutex_lock(&one->lock);
    one->value++;
    pthread_mutex_unlock(&one->lock);
}

static void remove_one(struct item *one)
{
    one->value--;
}

static void (*const changes[])(struct item *) = {add, remove_one};

int main(int argc, char **argv)
{
    struct item *first = calloc(1, sizeof *first);
    struct item *second = calloc(1, sizeof *second); // ALLOCATED
    changes[argc - 1](second);
    volatile long distance = (char *)&second->value - (char *)first;
    uintptr_t number = (uintptr_t)first;
    long *guess = (long *)(number + distance);
    printf("%ld\n", *guess); // EXPECT: access-without-exposure read 8
    free(first);
    free(second);
    return argv[0] == 0;
}
