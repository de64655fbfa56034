//@ verdict: holds
#include <assert.h>
#include <threads.h>

thread_local int mine;

int work(void *argument) {
    mine = *(int *)argument;
    thrd_exit(mine + 1);
}

int main(void) {
    thrd_t a, b;
    int one = 1, two = 2, result_a, result_b;
    thrd_create(&a, work, &one);
    thrd_create(&b, work, &two);
    thrd_join(a, &result_a);
    thrd_join(b, &result_b);
    assert(result_a == 2 && result_b == 3 && mine == 0);
}
