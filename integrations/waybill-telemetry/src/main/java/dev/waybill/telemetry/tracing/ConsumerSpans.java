package dev.waybill.telemetry.tracing;

import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerListener;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanBuilder;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.api.trace.Tracer;
import io.opentelemetry.context.Context;
import io.opentelemetry.context.Scope;
import java.util.Optional;
import org.slf4j.MDC;

/**
 * One span per call of a handler, in the trace of the append, current while the handler runs. Log lines of the handler have its
 * trace id, also if the message had none.
 */
final class ConsumerSpans implements ConsumerListener {
    private static final String PROCESS = "process";
    /** The consumer sets and restores it around the handler. */
    private static final String TRACE_ID = "traceId";

    private final Tracer tracer;
    private final EventContext context;
    private final Optional<String> system;

    ConsumerSpans(Tracer tracer, EventContext context, Optional<String> system) {
        this.tracer = tracer;
        this.context = context;
        this.system = system;
    }

    @SuppressWarnings("MustBeClosedChecker") // Closed when the handler has returned.
    @Override
    public Handling handling(String consumer, ReceivedEvent event) {
        Context parent = context.of(event.message());
        String topic = event.message().topic();
        SpanBuilder builder = tracer.spanBuilder(PROCESS + " " + topic)
                .setParent(parent)
                .setSpanKind(SpanKind.CONSUMER)
                .setAttribute(Names.OPERATION, PROCESS)
                .setAttribute(Names.OPERATION_TYPE, PROCESS)
                .setAttribute(Names.DESTINATION, topic)
                .setAttribute(Names.CONSUMER, consumer);
        system.ifPresent(name -> builder.setAttribute(Names.SYSTEM, name));
        Span span = builder.startSpan();
        if (!span.getSpanContext().isValid()) {
            return Handling.IGNORED;
        }
        if (span.isRecording()) {
            span.setAttribute(Names.MESSAGE_ID, event.id());
            span.setAttribute(Names.EVENT_TYPE, event.type());
        }
        MDC.put(TRACE_ID, span.getSpanContext().getTraceId());
        Scope scope = parent.with(span).makeCurrent();
        return failure -> end(span, scope, failure);
    }

    private static void end(Span span, Scope scope, Optional<Throwable> failure) {
        scope.close();
        if (span.isRecording()) {
            // Without the exception's message, which may be personal data.
            failure.ifPresent(thrown -> {
                span.setStatus(StatusCode.ERROR);
                span.setAttribute(Names.ERROR, thrown.getClass().getName());
            });
        }
        span.end();
    }
}
