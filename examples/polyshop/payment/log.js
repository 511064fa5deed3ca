// Log lines in the form of all services. Lines about an event have its trace id and its id.
'use strict';

function log(level, message, event, more) {
  const fields = Object.entries({ traceId: event.traceId || '', eventId: event.eventId || '', ...more })
    .map(([name, value]) => `${name}=${value}`).join(' ');
  process.stdout.write(`${new Date().toISOString().slice(11, 23)} ${level.toUpperCase().padEnd(5)} ${fields} ${message}\n`);
}

module.exports = { log };
