//@ verdict: violated
// If the mutex is non-recursive, it shall not be locked by the calling thread (C11
// 7.26.4.3p2).
#include <threads.h>

mtx_t lock;

int main(void) {
    mtx_init(&lock, mtx_plain);
    mtx_lock(&lock);
    mtx_lock(&lock);
    return 0;
}
