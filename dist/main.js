'use strict';
require('./joulediff.js').action().then(({ run }) => run());
