"""notification-service: a confirmation for every order, a receipt for every payment.

An event and its notification are committed together, once. Mails are sent from the notifications that are QUEUED; SENT and the
event notification.email.sent.v1 are committed together. A crash between the mail and that commit sends the mail again, with the
same Message-ID, by which the mail server recognises it.
"""
import json
import os
import signal
import smtplib
import sys
import threading
import uuid
from email.message import EmailMessage

import psycopg2
from confluent_kafka import Consumer, KafkaException

from dead_letters import PERMANENT, DeadLetters
from log import log
from trace_context import child_of

ORDER_PLACED = "order.order.placed.v1"
PAYMENT_SUCCEEDED = "payment.payment.succeeded.v1"
KINDS = {ORDER_PLACED: "confirmation", PAYMENT_SUCCEEDED: "receipt"}
NAMESPACE = uuid.UUID("6f1c1f0e-7c0b-4a5e-9a44-0c5a9b1f2d11")

stop = threading.Event()
queued = threading.Event()


class Database:
    """One connection, opened again when it is lost."""

    def __init__(self):
        self.connection = None

    def in_transaction(self, work):
        if self.connection is None or self.connection.closed:
            self.connection = psycopg2.connect(os.environ["DATABASE_URL"])
        try:
            with self.connection, self.connection.cursor() as cursor:
                return work(cursor)
        except (psycopg2.OperationalError, psycopg2.InterfaceError):
            self.connection.close()
            raise


def record(cursor, envelope, traceparent):
    """What an event means, in the transaction of its id. Returns whether it was new."""
    cursor.execute(
        "insert into processed_events (event_id, processed_at, event_type, source) values (%s, now(), %s, %s)"
        " on conflict do nothing",
        (envelope["eventId"], envelope["eventType"], envelope["source"]),
    )
    if cursor.rowcount == 0:
        return False
    data = envelope["data"]
    if envelope["eventType"] == ORDER_PLACED:
        cursor.execute("insert into recipients (order_id, email) values (%s, %s)", (data["orderId"], data["email"]))
    cursor.execute(
        "insert into notifications (notification_id, order_id, kind, status, traceparent, correlation_id, user_id)"
        " values (%s, %s, %s, 'QUEUED', %s, %s, %s)",
        (
            str(uuid.uuid5(NAMESPACE, envelope["eventId"])),
            data["orderId"],
            KINDS[envelope["eventType"]],
            traceparent,
            envelope["metadata"].get("correlationId"),
            envelope["metadata"].get("userId"),
        ),
    )
    return True


def mail_of(notification_id, order_id, kind, address, trace_id):
    mail = EmailMessage()
    mail["Message-ID"] = f"<{notification_id}@polyshop.example>"
    mail["From"] = "shop@polyshop.example"
    mail["To"] = address
    mail["Subject"] = f"Your {kind} for order {order_id}"
    mail["X-Trace-Id"] = trace_id
    mail.set_content(f"This is the {kind} for your order {order_id}.\n")
    return mail


def send_queued(database, host, port):
    """A receipt waits until the address of its order is known. Returns how many mails were sent."""

    def find(cursor):
        cursor.execute(
            "select notification_id, order_id, kind, traceparent, correlation_id, user_id, email from notifications"
            " join recipients using (order_id) where status = 'QUEUED' order by queued_at limit 100"
        )
        return cursor.fetchall()

    found = database.in_transaction(find)
    if not found:
        return 0
    with smtplib.SMTP(host, port, timeout=10) as smtp:
        for notification_id, order_id, kind, traceparent, correlation_id, user_id, address in found:
            trace_id, next_traceparent = child_of(traceparent)
            smtp.send_message(mail_of(notification_id, order_id, kind, address, trace_id))
            event_id = str(uuid.uuid4())
            headers = {"traceparent": next_traceparent, "correlationId": correlation_id, "userId": user_id}
            known = {name: value for name, value in headers.items() if value}
            payload = {"notificationId": notification_id, "orderId": order_id, "kind": kind}

            def sent(cursor):
                cursor.execute(
                    "update notifications set status = 'SENT' where notification_id = %s and status = 'QUEUED'",
                    (notification_id,),
                )
                if cursor.rowcount == 1:
                    cursor.execute(
                        "insert into outbox_events (id, aggregate_id, event_type, version, payload, created_at, headers)"
                        " values (%s, %s, 'notification.email.sent.v1', 1, %s, clock_timestamp(), %s)",
                        (event_id, notification_id, json.dumps(payload), json.dumps(known)),
                    )

            database.in_transaction(sent)
            log("info", f"sent the {kind} by mail; appended notification.email.sent.v1", trace_id, event_id)
    return len(found)


def send_until_stopped():
    database = Database()
    host, port = os.environ["SMTP"].split(":")
    while not stop.is_set():
        sent = 0
        try:
            sent = send_queued(database, host, int(port))
        except (psycopg2.Error, OSError, smtplib.SMTPException) as error:
            log("warning", f"mails could not be sent; tried again in a second: {type(error).__name__}")
            stop.wait(1)
        if sent == 0:
            queued.wait(1)
            queued.clear()


def handle(database, message):
    trace_id, traceparent = child_of(header(message, "traceparent"))
    envelope = json.loads(message.value())
    new = database.in_transaction(lambda cursor: record(cursor, envelope, traceparent))
    log("info", f"{'handled' if new else 'duplicate'} {envelope['eventType']}", trace_id, envelope["eventId"])


def header(message, name):
    return (dict(message.headers() or []).get(name) or b"").decode(errors="replace")


def handle_or_give_up(database, letters, message):
    """Temporary errors are waited for, with waits that double; permanent ones become dead letters. False if stopped meanwhile."""
    pause = 0.1
    topic, trace_id, event_id = message.topic(), child_of(header(message, "traceparent"))[0], header(message, "event-id")
    while not stop.is_set():
        try:
            try:
                handle(database, message)
            except PERMANENT as error:
                letters.write(message, error)
                log("error", f"gave up a message of {topic}; it is in {topic}.dlt", trace_id, event_id)
            return True
        except (psycopg2.Error, KafkaException) as error:
            log("warning", f"a message of {topic} could not be handled; tried again: {type(error).__name__}", trace_id, event_id)
            stop.wait(pause)
            pause = min(2 * pause, 5)
    return False


def commit(consumer):
    try:
        consumer.commit(asynchronous=False)
    except KafkaException as error:
        # Another process has the partitions now, or Kafka is away. What comes again is a duplicate.
        log("warning", f"the offsets could not be committed: {error}")


def consume_until_stopped():
    database = Database()
    consumer = Consumer(
        {
            "bootstrap.servers": os.environ["KAFKA"],
            "group.id": "notification-service",
            "auto.offset.reset": "earliest",
            "enable.auto.commit": False,
            "session.timeout.ms": 6000,
            "heartbeat.interval.ms": 1000,
        }
    )
    letters = DeadLetters(os.environ["KAFKA"], "notification-service")
    consumer.subscribe(list(KINDS))
    log("info", "notification-service is ready")
    while not stop.is_set():
        messages = consumer.consume(100, 0.2)
        handled = [message for message in messages if not message.error()]
        for message in handled:
            if not handle_or_give_up(database, letters, message):
                break
            queued.set()
        if handled and not stop.is_set():
            # After the effects: what a crash in between leaves uncommitted comes again.
            commit(consumer)
    consumer.close()


def end(*_):
    stop.set()
    queued.set()


def end_with_parent():
    """The driver holds the other end: when it is gone, nobody needs this process."""
    while sys.stdin.buffer.read(1024):
        pass
    end()


if __name__ == "__main__":
    signal.signal(signal.SIGTERM, end)
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=end_with_parent, daemon=True).start()
    sender = threading.Thread(target=send_until_stopped)
    sender.start()
    try:
        consume_until_stopped()
    finally:
        end()
        sender.join()
