// known-server PORT serves: 1000 getsid at its start; for each connection 100 getppid in a thread, and 40 getpgid and 2 openat that fail in a child that
// was there before. known-server PORT COUNT asks it so often, then prints `done`.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

static int to_thread[2], to_child[2], answers[2];

static void *work(void *none) {
  for (char c; read(to_thread[0], &c, 1) == 1;) {
    for (int i = 0; i < 100; i++) syscall(SYS_getppid);
    if (write(answers[1], &c, 1) != 1) exit(1);
  }
  return none;
}

int main(int argc, char **argv) {
  struct sockaddr_in at = {AF_INET, htons(atoi(argv[1])), {htonl(INADDR_LOOPBACK)}};
  char c = 0;
  if (argc == 3) {
    for (int i = atoi(argv[2]); i > 0; i--) {
      int to = socket(AF_INET, SOCK_STREAM, 0);
      if (connect(to, (struct sockaddr *)&at, sizeof at) != 0 || read(to, &c, 1) != 1) return 1;
      close(to);
    }
    puts("done");
    return 0;
  }
  for (int i = 0; i < 1000; i++) syscall(SYS_getsid, 0);
  if (pipe(to_thread) || pipe(to_child) || pipe(answers)) return 1;
  if (fork() == 0) {
    close(to_child[1]);
    while (read(to_child[0], &c, 1) == 1) {
      for (int i = 0; i < 40; i++) syscall(SYS_getpgid, 0);
      for (int i = 0; i < 2; i++) syscall(SYS_openat, AT_FDCWD, "/known/to/be/absent", O_RDONLY);
      if (write(answers[1], &c, 1) != 1) return 1;
    }
    return 0;
  }
  pthread_t thread;
  pthread_create(&thread, NULL, work, NULL);
  int from = socket(AF_INET, SOCK_STREAM, 0), on = 1;
  setsockopt(from, SOL_SOCKET, SO_REUSEADDR, &on, sizeof on);
  if (bind(from, (struct sockaddr *)&at, sizeof at) != 0 || listen(from, 10) != 0) return 1;
  puts("listening");
  fflush(stdout);
  for (int one; (one = accept(from, NULL, NULL)) >= 0; close(one)) {
    if (write(to_thread[1], &c, 1) != 1 || write(to_child[1], &c, 1) != 1) return 1;
    for (int i = 0; i < 2; i++)
      if (read(answers[0], &c, 1) != 1) return 1;
    if (write(one, &c, 1) != 1) return 1;
  }
}
