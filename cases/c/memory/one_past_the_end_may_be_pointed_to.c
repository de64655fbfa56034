//@ verdict: holds
#include <assert.h>

int main(void) {
    int row[3] = {1, 2, 3}, sum = 0;
    for (int *p = row; p != row + 3; p++)
        sum += *p;
    assert(sum == 6);
    assert(&row[2] - &row[0] == 2 && &row[1] < &row[2]);
}
