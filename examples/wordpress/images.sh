#!/bin/sh
# Usage: images.sh [TAG]
# The site in ./site, from Debian's package, and the image of this example, of the same programs that run natively.
set -eu
cd "$(dirname "$0")"
rm -rf site
cp -RL /usr/share/wordpress site
cp wp-config.php site/wp-config.php
mkdir -p site/wp-content/mu-plugins
# Without it, every page of Debian's package answers with a redirection to itself.
echo "<?php add_filter('redirect_canonical', '__return_false');" > site/wp-content/mu-plugins/joulediff.php
php=$(basename "$(command -v /usr/sbin/php-fpm?* | head -n 1)")
# For paper.yml, where Apache is installed with its PHP.
httpd=
if ls /usr/lib/apache2/modules/libphp*.so > /dev/null 2>&1; then
  httpd=apache2
  for module in mod_mpm_prefork mod_authz_core mod_dir mod_mime 'libphp*'; do httpd="$httpd $(ls /usr/lib/apache2/modules/$module.so)"; done
fi
../image-of-programs.sh "wordpress-local:${1:-latest}" nginx mariadbd "$php" $httpd \
  /usr/share/mysql/charsets /usr/share/mysql/english /etc/php /usr/lib/php/[0-9]* /usr/share/zoneinfo/UTC /usr/share/zoneinfo/tzdata.zi
