#!/bin/sh
# Usage: serve.sh nginx|httpd
# Serves one page of 1 KiB, the same from both, and stays in the foreground.
set -eu
PATH=$PATH:/usr/sbin
mkdir -p /tmp/joulediff-web-root
head -c 1024 /dev/zero | tr '\0' x > /tmp/joulediff-web-root/index.html
case $1 in
  nginx) exec nginx -e stderr -p "$PWD/" -c nginx.conf ;;
  httpd) exec apache2 -f "$PWD/httpd.conf" -D FOREGROUND ;;
esac
