//@ verdict: holds
//@ verdict with -DNO_LOCK: violated "data race"
//@ verdict with -DEXCHANGE: holds
// An exchange with memory is locked without saying so.
#include <assert.h>
#include <pthread.h>

static int compare_exchange(volatile int *at, int expected, int new) {
    int old;
    __asm__ __volatile__("lock; cmpxchgl %2, %1"
                         : "=a"(old), "+m"(*at)
                         : "r"(new), "0"(expected)
                         : "memory", "cc");
    return old;
}

static char has_exchanged(volatile int *at, int expected, int new) {
    char result;
    __asm__ __volatile__("lock cmpxchgl %3, %0\n\tsete %1"
                         : "=m"(*at), "=q"(result)
                         : "m"(*at), "r"(new), "a"(expected)
                         : "memory", "cc");
    return result;
}

static int exchange(volatile int *at, int new) {
    __asm__ __volatile__("xchgl %0, %1" : "+r"(new), "+m"(*at) : : "memory");
    return new;
}

int lock, count;

void *work(void *unused) {
#if defined EXCHANGE
    while (exchange(&lock, 1)) __asm__ __volatile__("pause" : : : "memory");
#elif !defined NO_LOCK
    while (compare_exchange(&lock, 0, 1) != 0) __builtin_ia32_pause();
#endif
    count++;
    __asm__ __volatile__("" : : : "memory");
    exchange(&lock, 0);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, work, NULL);
    pthread_create(&other, NULL, work, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(count == 2);
    int flag = 4;
    assert(!has_exchanged(&flag, 3, 5) && flag == 4);
    assert(has_exchanged(&flag, 4, 5) && flag == 5);
}
