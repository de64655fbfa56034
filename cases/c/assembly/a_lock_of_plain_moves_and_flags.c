//@ verdict: holds presuming sequential-consistency
//@ verdict with -DFLAG: holds presuming sequential-consistency
//@ verdict with -DNO_LOCK: violated "data race"
//@ verdict with -DNOTHING_WRITTEN: unknown "the inline assembly"
// On x86 a move to memory releases, and a move from it acquires. The flag comes out by a
// second statement, or as an output of its own.
#include <assert.h>
#include <pthread.h>
#include <stdbool.h>

static bool compare_exchange(int *at, int expected, int new) {
#ifdef FLAG
    bool is_made;
    __asm__ __volatile__("lock; cmpxchgl %3, %0"
                         : "+m"(*at), "=@ccz"(is_made), "+a"(expected)
                         : "q"(new)
                         : "memory", "cc");
    return is_made;
#else
    bool is_made;
    __asm__ __volatile__("lock cmpxchgl %2, %0; setz %1"
                         : "+m"(*at), "=a"(is_made)
                         : "q"(new), "a"(expected)
                         : "memory", "cc");
    return is_made;
#endif
}

static int load(const int *at) {
    int value;
    __asm__ __volatile__("movl %1, %0" : "=q"(value) : "m"(*at) : "memory");
    return value;
}

static void store(int *at, int value) {
    __asm__ __volatile__("movl %1, %0" : "=m"(*at) : "iq"(value) : "memory");
}

int lock, count;

void *work(void *unused) {
#ifndef NO_LOCK
    while (!compare_exchange(&lock, 0, 1))
        while (load(&lock) != 0) __asm__ __volatile__("pause" : : : "memory");
#endif
    count++;
    store(&lock, 0);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(count == 2 && load(&count) == 2);
    int number = 5;
    __asm__ __volatile__("lock notl %0" : "+m"(number) : : "memory");
    assert(number == ~5);
    assert(!compare_exchange(&number, 5, 1) && number == ~5);
#ifdef NOTHING_WRITTEN
    int other_result;
    __asm__ __volatile__("lock incl %0" : "+m"(number), "=r"(other_result));
    assert(other_result == number);
#endif
}
