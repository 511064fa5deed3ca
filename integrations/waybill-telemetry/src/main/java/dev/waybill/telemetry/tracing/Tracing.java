package dev.waybill.telemetry.tracing;

import dev.waybill.Event;
import dev.waybill.Outbox;
import dev.waybill.inbox.ConsumerListener;
import dev.waybill.relay.RelayListener;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.api.trace.TracerBuilder;
import java.util.Optional;

/**
 * Traces events from the append to the handler, with OpenTelemetry. Immutable, safe for use by many threads.
 *
 * <pre>{@code
 * Tracing tracing = Tracing.of(openTelemetry);
 * Outbox<Connection> outbox = tracing.outbox(JdbcOutbox.journal()); // stores the current context in every event
 * Relay.named("orders").from(journal).to(kafka).listener(tracing.relay("kafka")).start();
 * EventConsumer.named("billing", inbox, transactions).listener(tracing.consumer("kafka"))…
 * }</pre>
 *
 * <p>Contexts are written and read in the form of W3C Trace Context, whatever propagators OpenTelemetry is configured with.
 */
public final class Tracing {
    private static final String SCOPE = "dev.waybill";

    private final Tracer tracer;
    private final EventContext context;

    private Tracing(Tracer tracer, EventContext context) {
        this.tracer = tracer;
        this.context = context;
    }

    /**
     * @param openTelemetry from the SDK, or {@code GlobalOpenTelemetry.get()} under the Java agent
     */
    public static Tracing of(OpenTelemetry openTelemetry) {
        TracerBuilder tracer = openTelemetry.tracerBuilder(SCOPE);
        Optional.ofNullable(Tracing.class.getPackage().getImplementationVersion())
                .ifPresent(tracer::setInstrumentationVersion);
        return new Tracing(tracer.build(), EventContext.WITHOUT_BAGGAGE);
    }

    /**
     * A copy that also stores the current baggage in events and restores it for handlers. Baggage is sent to every consumer of a
     * topic and may be personal data. Default: false.
     */
    public Tracing baggage(boolean baggage) {
        return new Tracing(tracer, baggage ? EventContext.WITH_BAGGAGE : EventContext.WITHOUT_BAGGAGE);
    }

    /**
     * An outbox that stores the current context in the headers of the events it appends: {@code traceparent} and {@code
     * tracestate}. Without a current span, events are appended as they are. An event that has a {@code traceparent} keeps it.
     */
    public <T> Outbox<T> outbox(Outbox<T> outbox) {
        return new TracedOutbox<>(outbox, context);
    }

    /** The event with the current context in its headers, as {@link #outbox} stores it; for outboxes of another kind. */
    public Event inContext(Event event) {
        return EventContext.addTo(event, context.current());
    }

    /**
     * Creates a span for every call of the relay's destination, with links to the contexts of its events.
     *
     * @param system value of {@code messaging.system}, such as {@code kafka}, {@code rabbitmq} or {@code gcp_pubsub}
     */
    public RelayListener relay(String system) {
        return new RelaySpans(tracer, Optional.of(system));
    }

    /** Like {@link #relay(String)}, for a destination of another kind. */
    public RelayListener relay() {
        return new RelaySpans(tracer, Optional.empty());
    }

    /**
     * Creates a span for every call of a handler, as a child of the span that appended the event.
     *
     * @param system value of {@code messaging.system}, such as {@code kafka}, {@code rabbitmq} or {@code gcp_pubsub}
     */
    public ConsumerListener consumer(String system) {
        return new ConsumerSpans(tracer, context, Optional.of(system));
    }

    /** Like {@link #consumer(String)}, for a source of another kind. */
    public ConsumerListener consumer() {
        return new ConsumerSpans(tracer, context, Optional.empty());
    }
}
