package dev.waybill.telemetry.tracing;

import static dev.waybill.telemetry.tracing.RecordedSpans.message;
import static dev.waybill.telemetry.tracing.RecordedSpans.traceparent;
import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import dev.waybill.relay.RelayListener;
import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.OutboundMessage;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.common.AttributeKey;
import io.opentelemetry.api.common.Attributes;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.SpanKind;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.trace.data.LinkData;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import io.opentelemetry.sdk.trace.samplers.SamplingResult;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

class RelaySpansTest {
    private final RecordedSpans recorded = new RecordedSpans();
    private final RelayListener listener = recorded.tracing().relay("kafka");

    @Test
    void a_batch_is_one_producer_span_that_links_to_the_contexts_of_its_events() {
        publish(
                List.of(
                        message("orders", "traceparent", traceparent(1, true), "tracestate", "vendor=opaque"),
                        message("orders", "traceparent", traceparent(2, false)),
                        message("orders")),
                Collections.nCopies(3, Delivery.DELIVERED));

        SpanData span = recorded.only();
        assertThat(span.getName()).isEqualTo("publish orders");
        assertThat(span.getKind()).isEqualTo(SpanKind.PRODUCER);
        assertThat(span.getParentSpanContext().isValid()).isFalse();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.UNSET);
        assertThat(attributes(span))
                .containsExactlyInAnyOrderEntriesOf(Map.of(
                        "messaging.system", "kafka",
                        "messaging.operation.name", "publish",
                        "messaging.operation.type", "send",
                        "messaging.destination.name", "orders",
                        "messaging.batch.message_count", 3L,
                        "waybill.relay", "main",
                        "waybill.outcome.delivered", 3L));
        assertThat(span.getLinks())
                .extracting(LinkData::getSpanContext)
                .extracting(SpanContext::getTraceId)
                .containsExactly(String.format("%032x", 1), String.format("%032x", 2));
        assertThat(span.getLinks().get(0).getSpanContext().getTraceState().get("vendor"))
                .isEqualTo("opaque");
    }

    @Test
    void a_single_message_is_named_instead_of_counted() {
        publish(List.of(message("orders")), List.of(Delivery.DELIVERED));
        assertThat(attributes(recorded.only()))
                .containsEntry("messaging.message.id", "e-1")
                .doesNotContainKey("messaging.batch.message_count");
    }

    @Test
    void messages_to_several_topics_have_a_span_without_a_destination() {
        publish(List.of(message("orders"), message("stock")), Collections.nCopies(2, Delivery.DELIVERED));
        assertThat(recorded.only().getName()).isEqualTo("publish");
        assertThat(attributes(recorded.only())).doesNotContainKey("messaging.destination.name");
    }

    @Test
    void at_most_64_contexts_are_linked_sampled_ones_first_and_each_once_in_a_row() {
        List<OutboundMessage> batch = IntStream.rangeClosed(1, 400)
                .mapToObj(i -> message("orders", "traceparent", traceparent(1 + i / 4, i >= 200 && i < 240)))
                .toList();
        publish(batch, Collections.nCopies(400, Delivery.DELIVERED));

        List<LinkData> links = recorded.only().getLinks();
        assertThat(links)
                .hasSize(64)
                .extracting(link -> link.getSpanContext().getTraceId())
                .doesNotHaveDuplicates();
        assertThat(links.subList(0, 10)).allMatch(link -> link.getSpanContext().isSampled());
        assertThat(links.subList(10, 64))
                .noneMatch(link -> link.getSpanContext().isSampled());
    }

    @Test
    void headers_that_are_no_context_are_not_linked() {
        publish(
                List.of(message("orders", "traceparent", "nonsense"), message("orders", "traceparent", "")),
                Collections.nCopies(2, Delivery.DELIVERED));
        assertThat(recorded.only().getLinks()).isEmpty();
    }

    /** A service in another language may write them, for example the ids of a span that does not exist. */
    @Test
    void headers_that_are_no_context_take_no_place_of_links_and_are_not_shown_to_the_sampler() {
        RecordedSpans following = new RecordedSpans(new FollowsLinks());
        List<OutboundMessage> batch = new ArrayList<>();
        for (int i = 0; i < LinkedMessages.MOST; i++) {
            String noSpan = String.format("00-%032x-%016x-01", 0, i);
            batch.add(message("orders", "traceparent", noSpan));
            batch.add(message("orders", "traceparent", traceparent(1 + i, true).toUpperCase(Locale.ROOT) + "F"));
        }
        batch.add(message("orders", "traceparent", traceparent(7, true)));
        Sending sending = send(following.tracing().relay(), batch);
        sending.handedOver();
        sending.ended(Collections.nCopies(batch.size(), Delivery.DELIVERED));
        assertThat(following.only().getLinks())
                .extracting(link -> link.getSpanContext().getTraceId())
                .containsExactly(String.format("%032x", 7));
    }

    @Test
    void exactly_what_opentelemetry_reads_as_a_context_is_linked() {
        String valid = traceparent(0xabcdef, true);
        List<String> headers = new ArrayList<>(List.of(
                valid, valid + "-more", "cc" + valid.substring(2) + "-more", "cc" + valid.substring(2) + "more"));
        for (int i = 0; i < valid.length(); i++) {
            headers.add(valid.substring(0, i));
            for (char other : "09afgAF-/:`@é".toCharArray()) {
                headers.add(valid.substring(0, i) + other + valid.substring(i + 1));
            }
        }
        headers.add("ff" + valid.substring(2));
        headers.add(String.format("00-%032x-%016x-01", 1, 0));
        headers.add(String.format("00-%032x-%016x-01", 0, 1));
        assertThat(headers).allSatisfy(header -> {
            OutboundMessage one = message("orders", "traceparent", header);
            SpanContext read = EventContext.of(one);
            assertThat(LinkedMessages.of(List.of(one))).hasSize(read.isValid() ? 1 : 0);
        });
    }

    @Test
    void a_span_that_is_not_sampled_is_not_recorded_and_its_context_says_so_to_others() {
        RecordedSpans unsampled = new RecordedSpans(Sampler.alwaysOff());
        Sending sending = send(unsampled.tracing().relay(), List.of(message("orders")));
        assertThat(Span.current().getSpanContext().isValid()).isTrue();
        assertThat(Span.current().getSpanContext().isSampled()).isFalse();
        sending.handedOver();
        sending.ended(List.of(Delivery.DELIVERED));
        assertThat(unsampled.spans()).isEmpty();
    }

    @Test
    void a_sampler_that_follows_links_records_batches_with_a_sampled_event() {
        RecordedSpans following = new RecordedSpans(new FollowsLinks());
        for (boolean sampled : List.of(false, true)) {
            Sending sending = send(
                    following.tracing().relay(),
                    List.of(
                            message("orders", "traceparent", traceparent(1, false)),
                            message("orders", "traceparent", traceparent(2, sampled))));
            sending.handedOver();
            sending.ended(List.of(Delivery.DELIVERED, Delivery.DELIVERED));
        }
        assertThat(following.only().getLinks()).hasSize(2);
    }

    private static final class FollowsLinks implements Sampler {
        @Override
        public SamplingResult shouldSample(
                Context parent,
                String traceId,
                String name,
                SpanKind kind,
                Attributes attributes,
                List<LinkData> links) {
            return links.stream().anyMatch(link -> link.getSpanContext().isSampled())
                    ? SamplingResult.recordAndSample()
                    : SamplingResult.drop();
        }

        @Override
        public String getDescription() {
            return "follows links";
        }
    }

    @Test
    void the_span_is_current_while_messages_are_handed_over() {
        Sending sending = send(listener, List.of(message("orders")));
        SpanContext during = Span.current().getSpanContext();
        sending.handedOver();
        assertThat(Span.current().getSpanContext().isValid()).isFalse();
        sending.ended(List.of(Delivery.DELIVERED));
        assertThat(recorded.only().getSpanContext()).isEqualTo(during);
    }

    @Test
    void outcomes_are_counted_and_the_worst_one_is_the_error() {
        publish(
                List.of(message("orders"), message("orders"), message("orders"), message("orders")),
                List.of(
                        Delivery.DELIVERED,
                        new Delivery.Retry("about 4711"),
                        Delivery.BEHIND,
                        new Delivery.Refused("about 4711")));
        SpanData span = recorded.only();
        assertThat(span.getStatus().getStatusCode()).isEqualTo(StatusCode.ERROR);
        assertThat(span.getStatus().getDescription()).isEqualTo("3 of 4 messages were not delivered.");
        assertThat(attributes(span))
                .containsEntry("error.type", "refused")
                .containsEntry("waybill.outcome.delivered", 1L)
                .containsEntry("waybill.outcome.retry", 1L)
                .containsEntry("waybill.outcome.behind", 1L)
                .containsEntry("waybill.outcome.refused", 1L);
        assertThat(span.toString()).doesNotContain("about 4711", "key of a person");
    }

    @Test
    void an_unavailable_broker_and_an_ended_session_are_errors() {
        publish(List.of(message("orders")), List.of(new Delivery.Unavailable("away")));
        publish(List.of(message("orders")), List.of());
        assertThat(recorded.spans())
                .extracting(span -> span.getAttributes().get(AttributeKey.stringKey("error.type")))
                .containsExactly("unavailable", "abandoned");
        assertThat(recorded.spans()).allMatch(span -> span.getStatus().getStatusCode() == StatusCode.ERROR);
    }

    @Test
    void without_an_sdk_nothing_happens() {
        Sending sending = send(Tracing.of(OpenTelemetry.noop()).relay("kafka"), List.of(message("orders")));
        assertThat(sending).isSameAs(Sending.IGNORED);
    }

    private void publish(List<OutboundMessage> messages, List<Delivery> answers) {
        Sending sending = send(listener, messages);
        sending.handedOver();
        sending.ended(answers);
    }

    private static Sending send(RelayListener listener, List<OutboundMessage> messages) {
        return listener.sending(new RelayName("main"), List.of(), messages, Duration.ZERO);
    }

    private static Map<String, Object> attributes(SpanData span) {
        return span.getAttributes().asMap().entrySet().stream()
                .collect(Collectors.toMap(entry -> entry.getKey().getKey(), Map.Entry::getValue));
    }
}
