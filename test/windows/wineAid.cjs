// Loaded before the tests. Wine 8 doesn't support TCP_KEEPALIVE, the delay of keep-alive packets (`setsockopt Unknown IPPROTO_TCP optname
// 0x00000003`). `fetch` sets it before connecting and fails with `connect UNKNOWN`. Only this call is replaced.
'use strict';

const { Socket } = require('node:net');

Socket.prototype.setKeepAlive = function () {
  return this;
};
