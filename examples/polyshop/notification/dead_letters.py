"""Messages that can never be handled go to {topic}.dlt, in the form of all services: waybill dead-letters lists and sends them back."""
import base64
import json
from datetime import datetime, timezone

import psycopg2
from confluent_kafka import KafkaException, Producer

# Errors that stay however often the message is tried: it is no JSON, lacks a field, or violates a rule of the database.
PERMANENT = (ValueError, KeyError, TypeError, AttributeError, psycopg2.DataError, psycopg2.IntegrityError)


class DeadLetters:
    def __init__(self, servers, consumer):
        self.consumer = consumer
        self.producer = Producer({"bootstrap.servers": servers, "acks": "all", "message.timeout.ms": 10000})

    def write(self, message, error):
        """Returns when Kafka has the letter. Key and headers are those of the message."""
        failures = []
        self.producer.produce(
            message.topic() + ".dlt",
            json.dumps(self._letter(message.value() or b"", error)),
            message.key(),
            headers=message.headers(),
            on_delivery=lambda failure, _: failures.append(failure) if failure else None,
        )
        if self.producer.flush(15) > 0 or failures:
            raise KafkaException(failures[0] if failures else "no answer")

    def _letter(self, body, error):
        event_id, original = None, {"originalEvent": None, "originalBytes": base64.b64encode(body).decode()}
        try:
            event = json.loads(body)
            event_id = event["eventId"]
            original = {"originalEvent": event}
        except PERMANENT:
            pass
        return {
            "eventId": event_id,
            **original,
            "errorMessage": f"{type(error).__name__}: {error}",
            "failedAt": datetime.now(timezone.utc).isoformat(),
            "consumerService": self.consumer,
        }
