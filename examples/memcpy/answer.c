// A server that copies its answers together, and its client: what a C library's memcpy costs inside of a server (Barba Roque 2024).
// A question is four digits; the answer has as many elements of four bytes.
// Usage: answer serve PORT memcpy|none; answer ask ADDRESS PORT QUESTIONS ELEMENTS…
#include <arpa/inet.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { ELEMENT = 4, MOST = 9999 };
static char answer[ELEMENT * MOST];

// Through a pointer that may change, so that the compiler puts nothing of its own in its place.
static void *(*volatile copy)(void *, const void *, size_t) = memcpy;

static void fill(int elements) {
  for (int i = 0; i < elements; i++) copy(answer + i * ELEMENT, "VKX,", ELEMENT);
}

static void fail(const char *what) {
  perror(what);
  exit(1);
}

static int receive(int socket, char *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t more = read(socket, bytes + done, count - done);
    if (more <= 0) return 0;
    done += more;
  }
  return 1;
}

static void send_all(int socket, const char *bytes, size_t count) {
  for (size_t done = 0; done < count;) {
    ssize_t more = write(socket, bytes + done, count - done);
    if (more <= 0) return; // the other end is gone: reading says so next
    done += more;
  }
}

static void serve(struct sockaddr_in address, int copies) {
  int listener = socket(AF_INET, SOCK_STREAM, 0), poll = epoll_create1(0), yes = 1;
  setsockopt(listener, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  if (bind(listener, (struct sockaddr *)&address, sizeof address) || listen(listener, 60)) fail("listen");
  struct epoll_event event = {.events = EPOLLIN, .data.fd = listener};
  epoll_ctl(poll, EPOLL_CTL_ADD, listener, &event);
  fill(MOST);
  for (;;) {
    if (epoll_wait(poll, &event, 1, -1) < 1) continue;
    int client = event.data.fd;
    if (client == listener) {
      event.data.fd = accept(listener, NULL, NULL);
      epoll_ctl(poll, EPOLL_CTL_ADD, event.data.fd, &event);
      continue;
    }
    char question[ELEMENT + 1] = {0};
    int elements = receive(client, question, ELEMENT) ? atoi(question) : 0;
    if (elements < 1) {
      close(client);
      continue;
    }
    if (copies) fill(elements);
    send_all(client, answer, (size_t)elements * ELEMENT);
  }
}

static void ask(struct sockaddr_in address, long questions, int elements) {
  int server = socket(AF_INET, SOCK_STREAM, 0);
  if (connect(server, (struct sockaddr *)&address, sizeof address)) fail("connect");
  char question[ELEMENT + 1];
  snprintf(question, sizeof question, "%04d", elements);
  struct timespec start, end;
  clock_gettime(CLOCK_MONOTONIC, &start);
  for (long i = 0; i < questions; i++) {
    send_all(server, question, ELEMENT);
    if (!receive(server, answer, (size_t)elements * ELEMENT)) fail("answer");
  }
  clock_gettime(CLOCK_MONOTONIC, &end);
  double used = end.tv_sec - start.tv_sec + (end.tv_nsec - start.tv_nsec) / 1e9;
  printf("%d elements: %.0f answers/s\n", elements, questions / used);
  fflush(stdout);
  close(server);
}

int main(int count, char **words) {
  struct sockaddr_in address = {.sin_family = AF_INET};
  if (count == 4 && strcmp(words[1], "serve") == 0) {
    address.sin_port = htons(atoi(words[2]));
    serve(address, strcmp(words[3], "memcpy") == 0);
  }
  if (count < 6 || inet_pton(AF_INET, words[2], &address.sin_addr) != 1) return 2;
  address.sin_port = htons(atoi(words[3]));
  for (int i = 5; i < count; i++) ask(address, atol(words[4]), atoi(words[i]) % (MOST + 1));
  return 0;
}
