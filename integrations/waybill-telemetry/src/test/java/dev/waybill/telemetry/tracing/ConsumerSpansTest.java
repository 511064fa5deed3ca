package dev.waybill.telemetry.tracing;

import static dev.waybill.telemetry.tracing.RecordedSpans.header;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RetryPolicy;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerOptions;
import dev.waybill.inbox.ConsumerPlan;
import dev.waybill.inbox.EventConsumer;
import dev.waybill.inbox.EventHandler;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.memory.InMemoryTopic;
import dev.waybill.testkit.Await;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.sdk.trace.data.SpanData;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.slf4j.MDC;

@Timeout(60)
class ConsumerSpansTest {
    private static final String TRACEPARENT = "00-" + RecordedSpans.TRACE + "-" + RecordedSpans.SPAN + "-01";

    private final RecordedSpans recorded = new RecordedSpans();
    private final InMemoryTopic topic = new InMemoryTopic("orders");
    private final InMemoryDestination deadLetters = new InMemoryDestination();
    /** Per call of the handler: trace of the current span, and the trace and event in the log's fields. */
    private final List<String> calls = new CopyOnWriteArrayList<>();

    @Test
    void the_handler_runs_in_the_trace_of_the_append_and_its_log_lines_name_it() {
        send("e-1", header("traceparent", TRACEPARENT), header("tracestate", "vendor=opaque"));
        run(tracing -> tracing, this::note);

        assertThat(calls).containsExactly(RecordedSpans.TRACE + " " + RecordedSpans.TRACE + " e-1");
        SpanData span = recorded.only();
        assertThat(span.getName()).isEqualTo("process orders");
        assertThat(span.getKind()).isEqualTo(SpanKind.CONSUMER);
        assertThat(span.getTraceId()).isEqualTo(RecordedSpans.TRACE);
        assertThat(span.getParentSpanId()).isEqualTo(RecordedSpans.SPAN);
        assertThat(span.getSpanContext().getTraceState().get("vendor")).isEqualTo("opaque");
        assertThat(attribute(span, "messaging.system")).isEqualTo("kafka");
        assertThat(attribute(span, "messaging.operation.type")).isEqualTo("process");
        assertThat(attribute(span, "messaging.destination.name")).isEqualTo("orders");
        assertThat(attribute(span, "messaging.message.id")).isEqualTo("e-1");
        assertThat(attribute(span, "waybill.consumer")).isEqualTo("stock");
        assertThat(attribute(span, "waybill.event.type")).isEqualTo("placed");
    }

    @Test
    void a_message_without_context_begins_a_trace_that_its_log_lines_name_too() {
        send("e-1");
        run(tracing -> tracing, this::note);

        SpanData span = recorded.only();
        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(calls).containsExactly(span.getTraceId() + " " + span.getTraceId() + " e-1");
    }

    @Test
    void a_failure_is_recorded_by_its_type_without_its_text() {
        send("e-1", header("traceparent", TRACEPARENT));
        run(tracing -> tracing, (transaction, event) -> {
            throw new IllegalStateException("Anna Schmidt has no account");
        });

        SpanData span = recorded.only();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(attribute(span, "error.type")).isEqualTo("java.lang.IllegalStateException");
        assertThat(span.toString()).doesNotContain("Anna");
    }

    @Test
    void baggage_is_restored_only_if_asked_for() {
        send("e-1", header("traceparent", TRACEPARENT), header("baggage", "tenant=acme"));
        EventHandler<InMemoryInbox.Transaction> handler =
                (transaction, event) -> calls.add("tenant " + Baggage.current().getEntryValue("tenant"));
        run(tracing -> tracing, handler);
        send("e-2", header("traceparent", TRACEPARENT), header("baggage", "tenant=acme"));
        run(tracing -> tracing.baggage(true), handler);

        assertThat(calls).containsExactly("tenant null", "tenant acme");
    }

    @Test
    void without_tracing_log_lines_have_the_trace_of_the_message() {
        send("e-1", header("traceparent", TRACEPARENT));
        try (EventConsumer consumer = plan(this::note).start()) {
            Await.until("it is handled", () -> topic.acknowledged() == 1);
            assertThat(consumer.statistics().handled()).isOne();
        }
        assertThat(calls).containsExactly("0".repeat(32) + " " + RecordedSpans.TRACE + " e-1");
    }

    private void note(InMemoryInbox.Transaction transaction, ReceivedEvent event) {
        calls.add(Span.current().getSpanContext().getTraceId() + " " + MDC.get("traceId") + " " + MDC.get("eventId"));
    }

    private void send(String id, Header... headers) {
        Header[] all = new Header[headers.length + 2];
        all[0] = header("event-id", id);
        all[1] = header("event-type", "placed");
        System.arraycopy(headers, 0, all, 2, headers.length);
        topic.send("k", "{}", all);
    }

    private ConsumerPlan<InMemoryInbox.Transaction> plan(EventHandler<InMemoryInbox.Transaction> handler) {
        InMemoryInbox inbox = new InMemoryInbox();
        return EventConsumer.named("stock", inbox, inbox)
                .from(topic, MessageReader.raw())
                .deadLettersTo(deadLetters)
                .options(ConsumerOptions.defaults()
                        .retry(new RetryPolicy(0, Duration.ofMillis(1), 1, Duration.ofMillis(1))))
                .on("placed", handler);
    }

    /** Until everything sent so far is acknowledged. */
    private void run(UnaryOperator<Tracing> settings, EventHandler<InMemoryInbox.Transaction> handler) {
        int before = topic.acknowledged();
        Tracing tracing = settings.apply(recorded.tracing());
        try (EventConsumer consumer =
                plan(handler).listener(tracing.consumer("kafka")).start()) {
            Await.until(() -> consumer.health().toString(), () -> topic.acknowledged() == before + 1);
        }
    }

    private static String attribute(SpanData span, String name) {
        return span.getAttributes().get(AttributeKey.stringKey(name));
    }
}
