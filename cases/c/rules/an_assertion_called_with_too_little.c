//@ verdict: violated "too few arguments"
//@ rule: invalid-call
int assertion_of_locks(int freed, int data_race) { return freed + data_race; }

int main(void) {
    int (*out_of_bounds)(int) = (int (*)(int))assertion_of_locks;
    return out_of_bounds(1);
}
