//@ verdict: violated "deadlock"
#include <pthread.h>

pthread_once_t once = PTHREAD_ONCE_INIT;

void initialise(void) { pthread_once(&once, initialise); }

int main(void) {
    pthread_once(&once, initialise);
}
