package dev.waybill.telemetry.tracing;

import io.opentelemetry.api.common.AttributeKey;

/** Attributes of spans: OpenTelemetry's conventions for messaging, and Waybill's own under {@code waybill}. */
final class Names {
    static final AttributeKey<String> SYSTEM = AttributeKey.stringKey("messaging.system");
    static final AttributeKey<String> OPERATION = AttributeKey.stringKey("messaging.operation.name");
    static final AttributeKey<String> OPERATION_TYPE = AttributeKey.stringKey("messaging.operation.type");
    static final AttributeKey<String> DESTINATION = AttributeKey.stringKey("messaging.destination.name");
    static final AttributeKey<Long> MESSAGES = AttributeKey.longKey("messaging.batch.message_count");
    static final AttributeKey<String> MESSAGE_ID = AttributeKey.stringKey("messaging.message.id");
    static final AttributeKey<String> ERROR = AttributeKey.stringKey("error.type");

    static final AttributeKey<String> RELAY = AttributeKey.stringKey("waybill.relay");
    static final AttributeKey<String> CONSUMER = AttributeKey.stringKey("waybill.consumer");
    static final AttributeKey<String> EVENT_TYPE = AttributeKey.stringKey("waybill.event.type");

    private Names() {}
}
