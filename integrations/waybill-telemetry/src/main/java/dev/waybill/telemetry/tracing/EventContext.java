package dev.waybill.telemetry.tracing;

import dev.waybill.Event;
import dev.waybill.format.HeaderNames;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import io.opentelemetry.api.baggage.propagation.W3CBaggagePropagator;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.propagation.W3CTraceContextPropagator;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.propagation.TextMapGetter;
import io.opentelemetry.context.propagation.TextMapPropagator;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Writes a context into the headers of events and reads it from the headers of messages. */
record EventContext(TextMapPropagator propagator) {
    static final EventContext WITHOUT_BAGGAGE = new EventContext(W3CTraceContextPropagator.getInstance());
    static final EventContext WITH_BAGGAGE = new EventContext(
            TextMapPropagator.composite(W3CTraceContextPropagator.getInstance(), W3CBaggagePropagator.getInstance()));

    /** In this order: the first ones matter most if not all fit. */
    private static final List<String> NAMES = List.of(HeaderNames.TRACEPARENT, "tracestate", "baggage");
    /** Longest value that every destination carries; longer ones are left out. Pub/Sub's limit for an attribute. */
    private static final int MAX_VALUE_LENGTH = 1_024;

    /** The headers for the current context; empty without a valid span. */
    Map<String, String> current() {
        Context context = Context.current();
        if (!Span.fromContext(context).getSpanContext().isValid()) {
            return Map.of();
        }
        Map<String, String> headers = new LinkedHashMap<>();
        propagator.inject(context, headers, (carrier, name, value) -> {
            if (carrier != null) {
                carrier.put(name, value);
            }
        });
        return headers;
    }

    /** A copy of the event with those headers that fit. An event with a trace context of its own stays as it is. */
    static Event addTo(Event event, Map<String, String> headers) {
        if (has(event, HeaderNames.TRACEPARENT)) {
            return event;
        }
        Event with = event;
        for (String name : NAMES) {
            String value = headers.get(name);
            if (value != null && !has(event, name) && fits(with, name, value)) {
                with = with.header(name, value);
            }
        }
        // The other headers belong to the trace context.
        return has(with, HeaderNames.TRACEPARENT) ? with : event;
    }

    private static boolean has(Event event, String name) {
        return event.headers().keySet().stream().anyMatch(name::equalsIgnoreCase);
    }

    private static boolean fits(Event event, String name, String value) {
        long length = (long) name.length() + value.length();
        for (Map.Entry<String, String> header : event.headers().entrySet()) {
            length += (long) header.getKey().length() + header.getValue().length();
        }
        return value.length() <= MAX_VALUE_LENGTH
                && event.headers().size() < Event.MAX_HEADERS
                && length <= Event.MAX_HEADERS_LENGTH;
    }

    /** The context of the append; the root context if the message has none. */
    Context of(InboundMessage message) {
        return propagator.extract(Context.root(), message.headers(), Headers.GETTER);
    }

    /** Invalid if the message has none. */
    static SpanContext of(OutboundMessage message) {
        Context context =
                W3CTraceContextPropagator.getInstance().extract(Context.root(), message.headers(), Headers.GETTER);
        return Span.fromContext(context).getSpanContext();
    }

    static byte @Nullable [] traceparent(OutboundMessage message) {
        return Headers.find(message.headers(), HeaderNames.TRACEPARENT);
    }

    private enum Headers implements TextMapGetter<List<Header>> {
        GETTER;

        static byte @Nullable [] find(List<Header> headers, String name) {
            for (Header header : headers) {
                if (header.name().equals(name)) {
                    return header.value();
                }
            }
            return null;
        }

        @Override
        public Iterable<String> keys(List<Header> headers) {
            return headers.stream().map(Header::name).toList();
        }

        @Override
        public @Nullable String get(@Nullable List<Header> headers, String name) {
            byte[] value = headers == null ? null : find(headers, name);
            return value == null ? null : new String(value, StandardCharsets.UTF_8);
        }
    }
}
