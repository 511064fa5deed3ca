package dev.waybill.telemetry.tracing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.Event;
import dev.waybill.Outbox;
import dev.waybill.Payload;
import dev.waybill.tck.memory.InMemoryOutbox;
import dev.waybill.tck.memory.InMemoryTransaction;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.baggage.Baggage;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import java.util.Map;
import org.junit.jupiter.api.Test;

class TracedOutboxTest {
    private static final String TRACEPARENT = "00-" + RecordedSpans.TRACE + "-" + RecordedSpans.SPAN + "-01";
    private static final TraceState STATE =
            TraceState.builder().put("vendor", "opaque").build();

    private final Tracing tracing = Tracing.of(OpenTelemetry.noop());
    private final Event event =
            Event.of("order.placed.v1").aggregate("Order", "7").payload(Payload.json("{}"));

    @Test
    void the_current_context_is_stored_in_the_event() {
        assertThat(appended(RecordedSpans.context(STATE), event).headers())
                .containsExactly(Map.entry("traceparent", TRACEPARENT), Map.entry("tracestate", "vendor=opaque"));
    }

    @Test
    void an_empty_trace_state_is_not_stored() {
        assertThat(appended(RecordedSpans.context(TraceState.getDefault()), event)
                        .headers())
                .containsExactly(Map.entry("traceparent", TRACEPARENT));
    }

    @Test
    void without_a_span_the_event_is_appended_as_it_is() {
        Context onlyBaggage =
                Context.root().with(Baggage.builder().put("tenant", "acme").build());
        assertThat(appended(tracing.baggage(true), onlyBaggage, event)).isSameAs(event);
    }

    @Test
    void an_event_with_a_trace_context_of_its_own_keeps_it() {
        Event own = event.header("Traceparent", RecordedSpans.traceparent(9, true));
        assertThat(appended(RecordedSpans.context(STATE), own)).isSameAs(own);
    }

    @Test
    void headers_of_the_application_are_not_replaced() {
        Event own = event.header("baggage", "mine=1");
        Context context = RecordedSpans.context(STATE)
                .with(Baggage.builder().put("tenant", "acme").build());
        assertThat(appended(tracing.baggage(true), context, own).headers())
                .containsEntry("baggage", "mine=1")
                .containsEntry("traceparent", TRACEPARENT);
    }

    @Test
    void baggage_is_stored_only_if_asked_for_and_short_enough_for_every_broker() {
        Context context = RecordedSpans.context(TraceState.getDefault())
                .with(Baggage.builder().put("tenant", "acme").build());
        assertThat(appended(context, event).headers()).doesNotContainKey("baggage");
        assertThat(appended(tracing.baggage(true), context, event).headers()).containsEntry("baggage", "tenant=acme");

        Context large =
                context.with(Baggage.builder().put("tenant", "a".repeat(1_025)).build());
        assertThat(appended(tracing.baggage(true), large, event).headers())
                .containsExactly(Map.entry("traceparent", TRACEPARENT));
    }

    @Test
    void an_event_without_room_for_the_context_is_appended_as_it_is() {
        Event almost = event;
        for (int i = 1; i < Event.MAX_HEADERS; i++) {
            almost = almost.header("h" + i, "");
        }
        Event full = almost.header("last", "");
        Context context = RecordedSpans.context(STATE);
        assertThat(appended(context, full)).isSameAs(full);
        assertThat(appended(context, almost).headers())
                .containsEntry("traceparent", TRACEPARENT)
                .doesNotContainKey("tracestate");

        Event long1 = event.header("long", "x".repeat(Event.MAX_HEADERS_LENGTH - 10));
        assertThat(appended(context, long1)).isSameAs(long1);
    }

    @Test
    void events_that_may_exist_already_get_the_context_too() {
        InMemoryOutbox memory = new InMemoryOutbox();
        Outbox<InMemoryTransaction> outbox = tracing.outbox(memory);
        RecordedSpans.context(STATE)
                .wrap(() -> {
                    try (InMemoryTransaction tx = memory.begin()) {
                        assertThat(outbox.appendIfAbsent(tx, event)).isOne();
                        tx.commit();
                    }
                })
                .run();
        assertThat(memory.committed().get(0).headers()).containsEntry("traceparent", TRACEPARENT);
    }

    private Event appended(Context context, Event appended) {
        return appended(tracing, context, appended);
    }

    private static Event appended(Tracing tracing, Context context, Event event) {
        InMemoryOutbox memory = new InMemoryOutbox();
        Outbox<InMemoryTransaction> outbox = tracing.outbox(memory);
        context.wrap(() -> {
                    try (InMemoryTransaction tx = memory.begin()) {
                        outbox.append(tx, event);
                        tx.commit();
                    }
                })
                .run();
        return memory.committed().get(0);
    }
}
