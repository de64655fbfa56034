//@ verdict: holds
// Little-endian: the low half of the word is its first two bytes.
#include <assert.h>
#include <pthread.h>
#include <stdint.h>

union { uint32_t word; uint16_t half[2]; } u;

void *store(void *unused) {
    __atomic_store_n(&u.half[1], 0xabcd, __ATOMIC_SEQ_CST);
    return NULL;
}

int main(void) {
    pthread_t t;
    pthread_create(&t, NULL, store, NULL);
    __atomic_store_n(&u.half[0], 0x1234, __ATOMIC_SEQ_CST);
    uint32_t seen = __atomic_load_n(&u.word, __ATOMIC_SEQ_CST);
    assert(seen == 0x1234 || seen == 0xabcd1234);
    pthread_join(t, NULL);
    assert(u.word == 0xabcd1234);
}
