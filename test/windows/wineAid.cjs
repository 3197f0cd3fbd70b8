// Loaded before the tests. Wine 8 doesn't know the option of Windows for the delay of keep-alive packets (`setsockopt Unknown IPPROTO_TCP optname
// 0x00000003`, which is TCP_KEEPALIVE), so `fetch`, which sets it before it connects, fails with `connect UNKNOWN`. Nothing else of it is replaced.
'use strict';

const { Socket } = require('node:net');

Socket.prototype.setKeepAlive = function () {
  return this;
};
