//@ verdict: holds
//@ verdict with -DUNLOCKED: unknown "the inline assembly"
// The updates that kernels and old libraries write for x86.
#include <assert.h>
#include <pthread.h>

static int added(volatile int *number, int by) {
    __asm__ __volatile__("lock; xaddl %0, %1" : "+r"(by), "+m"(*number) : : "memory");
    return by;
}

static void increment(volatile int *number) {
#ifdef UNLOCKED
    __asm__ __volatile__("incl %0" : "+m"(*number));
#else
    __asm__ __volatile__("lock; incl %0" : "+m"(*number));
#endif
}

static int decrement_to_zero(volatile int *number) {
    unsigned char is_zero;
    __asm__ __volatile__("lock; decl %0; sete %1" : "+m"(*number), "=qm"(is_zero) : : "memory");
    return is_zero;
}

static void add(volatile int *number, int by) {
    __asm__ __volatile__("lock\n\taddl %1, %0" : "+m"(*number) : "ir"(by));
}

int number, last;

void *count(void *unused) {
    int before = added(&number, 2);
    assert(before >= 0 && before <= 10);
    increment(&number);
    add(&number, 3);
    return NULL;
}

int main(void) {
    pthread_t one, other;
    pthread_create(&one, NULL, count, NULL);
    pthread_create(&other, NULL, count, NULL);
    pthread_join(one, NULL);
    pthread_join(other, NULL);
    assert(number == 12);
    add(&number, -11);
    assert(decrement_to_zero(&number) && number == 0);
    assert(!decrement_to_zero(&number) && number == -1);
}
