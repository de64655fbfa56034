//@ verdict: holds
//@ verdict with -O1: holds
// Jumps out of blocks, and past declarations.
#include <assert.h>
#include <stdlib.h>

static void fill(int *numbers, int n) {
    for (int i = 0; i < n; i++)
        numbers[i] = i;
}

static int find(int wanted) {
    int found = -1;
    for (int i = 0; i < 5; i++) {
        int numbers[3];
        fill(numbers, 3);
        if (i == 1)
            continue;
        for (int j = 0; j < 3; j++) {
            if (numbers[j] * i == wanted) {
                found = i;
                goto out;
            }
        }
    }
out:
    return found;
}

int main(void) {
    int total = 0;
    for (int i = 0; i < 300; i++) {
        int numbers[4], sum = 0, *to = &sum;
        fill(numbers, 4);
        for (int j = 0; j < 4; j++)
            *to += numbers[j];
        total += sum;
    }
    assert(total == 1800 && find(6) == 3);
    switch (total) {
        int skipped;
    case 1800:
        fill(&skipped, 1);
        assert(skipped == 0);
        break;
    default:
        abort();
    }
}
