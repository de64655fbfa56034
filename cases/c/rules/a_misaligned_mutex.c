//@ args: --ub
//@ verdict: violated "aligned"
//@ rule: alignment
char mutex_out_of_bounds[16];

int main(void) {
    int *freed = (int *)(mutex_out_of_bounds + 1);
    return *freed;
}
