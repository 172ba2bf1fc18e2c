<?php
define('DB_NAME', 'wordpress');
define('DB_USER', 'root');
define('DB_PASSWORD', '');
define('DB_HOST', getenv('DB') . ':15307');
define('DB_CHARSET', 'utf8mb4');
define('WP_HOME', 'http://127.0.0.1:18082');
define('WP_SITEURL', 'http://127.0.0.1:18082');
// Nothing but the page itself: no update, no other program's work, no call of another machine.
define('WP_HTTP_BLOCK_EXTERNAL', true);
define('DISABLE_WP_CRON', true);
define('AUTOMATIC_UPDATER_DISABLED', true);
$table_prefix = 'wp_';
define('ABSPATH', __DIR__ . '/');
require_once ABSPATH . 'wp-settings.php';
