#!/bin/sh
# Usage: serve.sh db|php|web|httpd
# One of the programs of the site, in the foreground, the same in both places.
set -eu
PATH=$PATH:/usr/sbin
case $1 in
  db)
    # A new database for each run, gone with it. A database is a folder.
    mkdir -p "$DATA/wordpress"
    cd "$DATA"
    trap 'kill "$server" || :; wait "$server" || :; rm -rf "$PWD"; exit' TERM
    mariadbd --no-defaults --user=root --skip-grant-tables --skip-name-resolve --bind-address="$HOST" --port=15307 --datadir="$PWD" \
      --socket="$PWD/socket" --innodb-log-file-size=16M &
    server=$!
    wait "$server"
    ;;
  php)
    for php in /usr/sbin/php-fpm?* /bin/php-fpm?*; do
      if [ -x "$php" ]; then exec "$php" --allow-to-run-as-root --fpm-config "$PWD/php-fpm.conf"; fi
    done
    ;;
  web)
    sed -e "s/@HOST@/$HOST/; s/@PHP@/$PHP/; s#@SITE@#$PWD/site#" nginx.conf > /tmp/joulediff-wordpress-nginx.conf
    exec nginx -e stderr -c /tmp/joulediff-wordpress-nginx.conf
    ;;
  httpd)
    # With PHP as a module. It works as nobody, who may not read this folder.
    rm -rf /tmp/joulediff-wordpress-site
    cp -r site /tmp/joulediff-wordpress-site
    PHP_MODULE=$(basename /usr/lib/apache2/modules/libphp*.so)
    export PHP_MODULE
    exec apache2 -f "$PWD/httpd.conf" -D FOREGROUND
    ;;
esac
