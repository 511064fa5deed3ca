// Writes rows of outbox_events. Only the data is stored: the relay builds the envelope.
'use strict';
const { randomUUID } = require('node:crypto');

// In the caller's transaction. clock_timestamp() is the time of the statement; now() would be that of the transaction's start.
async function appendEvent(client, aggregateId, event, headers) {
  const id = randomUUID();
  const known = Object.fromEntries(Object.entries(headers).filter(([, value]) => value));
  await client.query(
    `insert into outbox_events (id, aggregate_id, event_type, version, payload, created_at, headers)
     values ($1, $2, $3, 1, $4, clock_timestamp(), $5)`,
    [id, aggregateId, event.type, JSON.stringify(event.data), JSON.stringify(known)]);
  return id;
}

module.exports = { appendEvent };
