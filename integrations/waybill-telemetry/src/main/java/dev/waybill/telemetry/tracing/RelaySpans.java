package dev.waybill.telemetry.tracing;

import dev.waybill.RelayName;
import dev.waybill.relay.RelayListener;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.StoredEvent;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * One span per call of the destination. It has no parent, because its events belong to many traces, and links to them. The
 * first link is given before the sampler decides, so a sampler can follow it; the others and most attributes only to spans
 * that are recorded.
 */
final class RelaySpans implements RelayListener {
    private static final String PUBLISH = "publish";

    private final Tracer tracer;
    private final Optional<String> system;

    RelaySpans(Tracer tracer, Optional<String> system) {
        this.tracer = tracer;
        this.system = system;
    }

    @SuppressWarnings("MustBeClosedChecker") // PublishSpan closes it when the messages are handed over.
    @Override
    public Sending sending(
            RelayName relay, List<StoredEvent> events, List<OutboundMessage> messages, Duration sinceClaim) {
        if (!tracer.isEnabled()) {
            return Sending.IGNORED;
        }
        Optional<String> topic = onlyTopic(messages);
        List<OutboundMessage> linked = LinkedMessages.of(messages);
        SpanBuilder builder = tracer.spanBuilder(
                        topic.map(name -> PUBLISH + " " + name).orElse(PUBLISH))
                .setNoParent()
                .setSpanKind(SpanKind.PRODUCER)
                .setAttribute(Names.OPERATION, PUBLISH)
                .setAttribute(Names.OPERATION_TYPE, "send")
                .setAttribute(Names.RELAY, relay.value());
        system.ifPresent(name -> builder.setAttribute(Names.SYSTEM, name));
        topic.ifPresent(name -> builder.setAttribute(Names.DESTINATION, name));
        linked.stream().findFirst().ifPresent(message -> builder.addLink(EventContext.of(message)));
        Span span = builder.startSpan();
        if (!span.getSpanContext().isValid()) {
            return Sending.IGNORED;
        }
        if (span.isRecording()) {
            linked.stream().skip(1).forEach(message -> span.addLink(EventContext.of(message)));
            countOrId(span, messages);
        }
        // Not as a child of the thread's context: that exempts the relay's own work from being traced.
        return new PublishSpan(span, Context.root().with(span).makeCurrent());
    }

    private static void countOrId(Span span, List<OutboundMessage> messages) {
        if (messages.size() == 1) {
            span.setAttribute(Names.MESSAGE_ID, messages.get(0).event().id().toString());
        } else {
            span.setAttribute(Names.MESSAGES, (long) messages.size());
        }
    }

    /** The topic, if all messages have the same. */
    private static Optional<String> onlyTopic(List<OutboundMessage> messages) {
        String first = messages.get(0).topic();
        for (OutboundMessage message : messages) {
            if (!message.topic().equals(first)) {
                return Optional.empty();
            }
        }
        return Optional.of(first);
    }
}
