#!/bin/sh
# Usage: server.sh PORT
# PostgreSQL on a new, empty data folder; with TLS=on it refuses what isn't encrypted, so that nobody measures the wrong thing.
set -eu
data=/tmp/joulediff-postgresql
PATH=$(ls -d /usr/lib/postgresql/*/bin 2>/dev/null | tail -n 1):$PATH
# It refuses to be root: then it is nobody, who may not read this folder.
as=
if [ "$(id -u)" = 0 ]; then as='setpriv --reuid=65534 --regid=65534 --clear-groups'; fi
rm -rf $data
$as mkdir -m 700 $data
here=$(cd "$(dirname "$0")" && pwd)
cd /tmp
$as initdb -D $data/db -A trust -U postgres --no-sync -E UTF8 --locale=C
connections=host
if [ "$TLS" = on ]; then
  connections=hostssl
  for file in server.crt server.key; do $as sh -c "umask 077; cat > $data/db/$file" < "$here/tls/$file"; done
fi
echo "$connections all all all trust" | $as sh -c "cat > $data/db/pg_hba.conf"
exec $as postgres -D $data/db -p "$1" -c listen_addresses='*' -c unix_socket_directories= -c max_connections=200 -c jit=off -c ssl="$TLS"
