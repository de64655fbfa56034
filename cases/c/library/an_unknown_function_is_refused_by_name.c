//@ verdict: unknown "launch_missiles"
int launch_missiles(int);

int main(void) {
    return launch_missiles(3);
}
