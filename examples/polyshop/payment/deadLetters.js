// Messages that can never be handled go to {topic}.dlt, in the form of all services: waybill dead-letters lists and sends them back.
'use strict';

// An error that stays however often the message is tried: it is no JSON, lacks a field, or its values violate a rule of the
// database (SQL states of class 22 and 23). Everything else, such as a database that is away, may pass.
function isPermanent(error) {
  return error instanceof SyntaxError || error instanceof TypeError || /^2[23]...$/.test(error.code || '');
}

function parsed(message) {
  try {
    return JSON.parse(message.value.toString());
  } catch {
    return null;
  }
}

function letterFor(message, error, consumerService) {
  const event = parsed(message);
  const eventId = (event && event.eventId) || null;
  const original = eventId ? { originalEvent: event } : { originalEvent: null, originalBytes: message.value.toString('base64') };
  return { eventId, ...original, errorMessage: error.message, failedAt: new Date().toISOString(), consumerService };
}

// Returns when Kafka has the letter. Key and headers are those of the message.
async function giveUp(producer, { topic, message }, error, consumerService) {
  const value = JSON.stringify(letterFor(message, error, consumerService));
  await producer.send({ topic: `${topic}.dlt`, acks: -1, messages: [{ key: message.key, value, headers: message.headers }] });
}

module.exports = { isPermanent, giveUp };
