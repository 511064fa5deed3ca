package dev.waybill.example.polyshop.common;

import dev.waybill.Event;
import dev.waybill.Inbox.Outcome;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.format.TraceId;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.spi.InboundMessage;
import java.util.Map;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;

/** One line for each event that is appended, handled, skipped as a duplicate or given up, with its id and its trace id. */
final class EventLog implements ConsumerListener {
    private static final Logger log = LoggerFactory.getLogger(EventLog.class);

    /** The trace id is that of the current span. */
    static Event appended(Event event) {
        line(Map.of("eventId", event.id()), "appending " + event.type());
        return event;
    }

    @Override
    public void handled(String consumer, ReceivedEvent event, Outcome outcome) {
        String what = outcome.equals(Outcome.DUPLICATE) ? "duplicate " : "handled ";
        line(fields(event.id(), event.message()), what + event.type());
    }

    @Override
    public void dead(String consumer, InboundMessage message, String error) {
        line(fields(message.header("event-id").orElse(""), message), "dead letter from " + message.topic());
    }

    private static Map<String, String> fields(String eventId, InboundMessage message) {
        return Map.of("eventId", eventId, "traceId", TraceId.of(message).orElse(""));
    }

    private static void line(Map<String, String> fields, String what) {
        Map<String, String> before = MDC.getCopyOfContextMap();
        fields.forEach(MDC::put);
        try {
            log.info(what);
        } finally {
            MDC.setContextMap(before == null ? Map.of() : before);
        }
    }
}
