//@ verdict: violated "unlocked"
//@ rule: mutex-misuse
#include <pthread.h>

pthread_mutex_t data_race_assertion_freed = PTHREAD_MUTEX_INITIALIZER;

int main(void) {
    pthread_mutex_unlock(&data_race_assertion_freed);
}
