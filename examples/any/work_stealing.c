//@ verdict with --threads any: holds
//@ verdict with --threads any -DBROKEN: violated
//@ verdict with -DN=3: holds
//@ verdict with -DN=2 -DBROKEN: violated
//@ verdict with -DN=1 -DBROKEN: holds
// Tasks that their owner takes from the one end, and thieves from the other. Owner and thief
// first say what they are going to take, then look whether the other one has said so too;
// only if they might meet does the owner ask for the lock, which thieves always hold.
//
//     threadproof check examples/any/work_stealing.c --threads any
//
// proves that no task is done twice, and none by two at once, for any number of thieves.
// With -DBROKEN thieves do without the lock. One thief and the owner never notice; two
// thieves and the owner, which is main, do.
#include <assert.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stddef.h>

#define TASKS 2
#define NONE -1

pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
atomic_int head, tail = TASKS; /* the tasks that are left are head to tail - 1 */
int n_times_done[TASKS];       /* not atomic: who took a task has it alone */

int steal(void) {
#ifndef BROKEN
    pthread_mutex_lock(&lock);
#endif
    int task = head;
    head = task + 1;
    if (task + 1 > tail) {
        head = task;
        task = NONE;
    }
#ifndef BROKEN
    pthread_mutex_unlock(&lock);
#endif
    return task;
}

int take(void) {
    int task = tail - 1;
    tail = task;
    if (head > task) { /* a thief may have said that it takes this one */
        tail = task + 1;
        pthread_mutex_lock(&lock);
        tail = task;
        if (head > task) {
            tail = task + 1;
            task = NONE;
        }
        pthread_mutex_unlock(&lock);
    }
    return task;
}

void do_task(int task) {
    n_times_done[task]++;
    assert(n_times_done[task] == 1);
}

void *thief(void *unused) {
    int task = steal();
    if (task != NONE)
        do_task(task);
    return NULL;
}

extern int __VERIFIER_nondet_int(void);

int main(void) {
#ifdef N
    int n_thieves = N;
#else
    int n_thieves = __VERIFIER_nondet_int();
#endif
    pthread_t thread;
    for (int i = 0; i < n_thieves; i++)
        pthread_create(&thread, NULL, thief, NULL);
    int task;
    while ((task = take()) != NONE)
        do_task(task);
}
