// moved-bytes FILE BLOCKS BYTES: writes so many blocks of 64 KiB to a disk, past the memory of files, then sends so many bytes over loopback, each in a
// phase of its own that begins and ends with a pause: what moves is stamped to the microsecond, but a mark is seen late.
#define _GNU_SOURCE
#include <arpa/inet.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#define BLOCK 65536

static void phase(const char *name) {
  usleep(250000);
  printf("::joulediff %s\n", name);
  fflush(stdout);
  usleep(250000);
}

int main(int argc, char **argv) {
  if (argc != 4) return 2;
  char *block;
  if (posix_memalign((void **)&block, 4096, BLOCK) != 0) return 3;
  memset(block, 1, BLOCK);

  phase("phase disk");
  int file = open(argv[1], O_WRONLY | O_CREAT | O_TRUNC | O_DIRECT, 0600);
  if (file < 0) return 4;
  for (long i = 0; i < atol(argv[2]); i++) {
    if (write(file, block, BLOCK) != BLOCK) return 5;
  }
  if (fsync(file) != 0) return 6;
  close(file);

  phase("phase network");
  struct sockaddr_in at = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
  socklen_t size = sizeof at;
  int server = socket(AF_INET, SOCK_STREAM, 0), client = socket(AF_INET, SOCK_STREAM, 0);
  if (bind(server, (struct sockaddr *)&at, size) != 0 || listen(server, 1) != 0) return 7;
  getsockname(server, (struct sockaddr *)&at, &size);
  if (connect(client, (struct sockaddr *)&at, size) != 0) return 8;
  int other = accept(server, NULL, NULL);
  for (long left = atol(argv[3]); left > 0;) {
    long sent = write(client, block, left < 1000 ? left : 1000);
    if (sent <= 0) return 9;
    for (long unread = sent; unread > 0;) {
      long got = read(other, block, unread);
      if (got <= 0) return 10;
      unread -= got;
    }
    left -= sent;
  }
  phase("end");
  return 0;
}
