#!/bin/sh
# A certificate for this experiment alone: everybody may read its key.
set -eu
cd "$(dirname "$0")"
mkdir -p tls
openssl req -new -x509 -nodes -days 30 -subj /CN=localhost -newkey rsa:2048 -keyout tls/server.key -out tls/server.crt 2> /dev/null
chmod 644 tls/server.key
