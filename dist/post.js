'use strict';
require('./joulediff.js').post().then(({ runPost }) => runPost());
