// W3C trace context, carried by hand: the trace id stays, each step has a span id of its own.
'use strict';
const { randomBytes } = require('node:crypto');

const FORM = /^00-([0-9a-f]{32})-([0-9a-f]{16})-([0-9a-f]{2})$/;

function childOf(traceparent) {
  const found = FORM.exec(traceparent || '');
  const traceId = found ? found[1] : randomBytes(16).toString('hex');
  const flags = found ? found[3] : '01';
  return { traceId, traceparent: `00-${traceId}-${randomBytes(8).toString('hex')}-${flags}` };
}

module.exports = { childOf };
