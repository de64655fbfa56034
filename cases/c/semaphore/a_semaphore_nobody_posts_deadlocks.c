//@ verdict: violated "deadlock"
#include <semaphore.h>

int main(void) {
    sem_t never;
    sem_init(&never, 0, 0);
    sem_wait(&never);
}
