// payment-service: consumes stock outcomes and takes payments. It writes its events with plain SQL into outbox_events, in the
// transaction that changes the payment; a relay of `waybill run` publishes them.
'use strict';
const { Kafka, logLevel } = require('kafkajs');
const { Pool } = require('pg');
const { randomUUID } = require('node:crypto');
const { log } = require('./log');
const { childOf } = require('./trace');
const { appendEvent } = require('./outboxRepository');
const { isPermanent, giveUp } = require('./deadLetters');

const RESERVED = 'inventory.stock.reserved.v1';
const CARD_LIMIT = Number(process.env.CARD_LIMIT || 50000);

const pool = new Pool({ connectionString: process.env.DATABASE_URL, max: 4 });
// The server may end idle connections; the pool opens others.
pool.on('error', (error) => log('warn', 'a connection to the database was lost', {}, { error: error.code || error.name }));

async function inTransaction(work) {
  const client = await pool.connect();
  try {
    await client.query('begin');
    const result = await work(client);
    await client.query('commit');
    return result;
  } catch (error) {
    await client.query('rollback').catch(() => {});
    throw error;
  } finally {
    client.release();
  }
}

// Once per event: the id and what follows from it are committed together. A payment is INITIATED when all items of its order
// are reserved.
async function onReserved(envelope, trace) {
  const { orderId, movementId, amount, itemsOfOrder } = envelope.data;
  return inTransaction(async (client) => {
    const first = await client.query(
      'insert into processed_events (event_id, processed_at, event_type, source) values ($1, now(), $2, $3) on conflict do nothing',
      [envelope.eventId, envelope.eventType, envelope.source]);
    if (first.rowCount === 0) {
      return 'duplicate';
    }
    // The items of an order come on several partitions. One after the other, so that the last one sees all of them.
    await client.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [orderId]);
    await client.query('insert into reserved_items (movement_id, order_id, amount) values ($1, $2, $3)', [movementId, orderId, amount]);
    await client.query(
      `insert into payments (payment_id, order_id, amount, status, traceparent, correlation_id, user_id)
       select $1, $2, sum(amount), 'INITIATED', $4, $5, $6 from reserved_items where order_id = $2 having count(*) = $3`,
      [randomUUID(), orderId, itemsOfOrder, trace.traceparent, envelope.metadata.correlationId, envelope.metadata.userId]);
    return 'handled';
  });
}

// INITIATED -> SUCCESS or FAILED, with its event. A payment that a crash left INITIATED is taken here after the restart.
async function takePayments() {
  const open = await pool.query("select * from payments where status = 'INITIATED' order by initiated_at limit 100");
  for (const payment of open.rows) {
    const succeeded = Number(payment.amount) <= CARD_LIMIT;
    const trace = childOf(payment.traceparent);
    const data = { paymentId: payment.payment_id, orderId: payment.order_id, amount: Number(payment.amount) };
    const event = succeeded
      ? { type: 'payment.payment.succeeded.v1', data }
      : { type: 'payment.payment.failed.v1', data: { ...data, reason: 'the amount exceeds the limit of the card' } };
    const eventId = await inTransaction(async (client) => {
      const changed = await client.query(
        "update payments set status = $2 where payment_id = $1 and status = 'INITIATED'",
        [payment.payment_id, succeeded ? 'SUCCESS' : 'FAILED']);
      return changed.rowCount === 0 ? null : appendEvent(client, payment.order_id, event, {
        traceparent: trace.traceparent, correlationId: payment.correlation_id, userId: payment.user_id,
      });
    });
    if (eventId) {
      log('info', `appended ${event.type}`, { traceId: trace.traceId, eventId });
    }
  }
  return open.rowCount;
}

let wake = () => {};
let stopping = false;

async function takePaymentsUntilStopped() {
  while (!stopping) {
    let taken = 0;
    try {
      taken = await takePayments();
    } catch (error) {
      log('warn', 'payments could not be taken; tried again in a second', {}, { error: error.code || error.name });
    }
    if (taken === 0) {
      await new Promise((resolve) => {
        const timer = setTimeout(resolve, 1000);
        wake = () => { clearTimeout(timer); resolve(); };
      });
    }
  }
}

async function handle(message) {
  const trace = childOf(message.headers.traceparent && message.headers.traceparent.toString());
  const envelope = JSON.parse(message.value.toString());
  const outcome = await onReserved(envelope, trace);
  log('info', `${outcome} ${envelope.eventType}`, { traceId: trace.traceId, eventId: envelope.eventId });
  wake();
}

// Temporary errors are waited for, with waits that double; permanent ones become dead letters. kafkajs itself would stop consuming
// after an error of a handler.
async function handleOrGiveUp(producer, delivery) {
  const header = (name) => (delivery.message.headers[name] || '').toString();
  const event = { traceId: header('traceparent').split('-')[1], eventId: header('event-id') };
  for (let attempt = 0; !stopping; attempt++) {
    try {
      await handle(delivery.message);
      return;
    } catch (error) {
      const reason = { error: error.code || error.name };
      if (isPermanent(error)) {
        await giveUp(producer, delivery, error, 'payment-service');
        log('error', `gave up a message of ${delivery.topic}; it is in ${delivery.topic}.dlt`, event, reason);
        return;
      }
      log('warn', `a message of ${delivery.topic} could not be handled; tried again`, event, reason);
      await new Promise((resolve) => setTimeout(resolve, Math.min(100 * 2 ** attempt, 5000)));
      await delivery.heartbeat();
    }
  }
  throw new Error('stopping');
}

async function main() {
  const kafka = new Kafka({ clientId: 'payment-service', brokers: process.env.KAFKA.split(','), logLevel: logLevel.ERROR, retry: { retries: 100 } });
  const consumer = kafka.consumer({
    groupId: 'payment-service', sessionTimeout: 6000, heartbeatInterval: 1000, retry: { retries: 100, restartOnFailure: async () => !stopping },
  });
  const producer = kafka.producer();
  await producer.connect();
  await consumer.connect();
  await consumer.subscribe({ topics: [RESERVED], fromBeginning: true });
  await consumer.run({
    // The offset is committed after the effect: a message whose process dies in between comes again.
    eachMessage: (delivery) => handleOrGiveUp(producer, delivery),
  });
  const payments = takePaymentsUntilStopped();
  const stop = async () => {
    if (!stopping) {
      stopping = true;
      wake();
      await consumer.disconnect();
      await producer.disconnect();
      await payments;
      await pool.end();
      process.exit(0);
    }
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', () => {});
  // The driver holds the other end: when it is gone, nobody needs this process.
  process.stdin.on('end', stop).resume();
  log('info', 'payment-service is ready', {});
}

main().catch((error) => {
  log('error', `payment-service could not start: ${error.message}`, {});
  process.exit(1);
});
