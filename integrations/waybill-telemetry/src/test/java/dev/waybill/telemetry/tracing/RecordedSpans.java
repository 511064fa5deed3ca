package dev.waybill.telemetry.tracing;

import dev.waybill.spi.EventFacts;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.spi.Utf8;
import io.opentelemetry.api.OpenTelemetry;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import io.opentelemetry.context.Context;
import io.opentelemetry.sdk.OpenTelemetrySdk;
import io.opentelemetry.sdk.testing.exporter.InMemorySpanExporter;
import io.opentelemetry.sdk.trace.SdkTracerProvider;
import io.opentelemetry.sdk.trace.data.SpanData;
import io.opentelemetry.sdk.trace.export.SimpleSpanProcessor;
import io.opentelemetry.sdk.trace.samplers.Sampler;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** OpenTelemetry's SDK with spans in memory, and contexts and messages with contexts. */
final class RecordedSpans {
    static final String TRACE = "0af7651916cd43dd8448eb211c80319c";
    static final String SPAN = "b7ad6b7169203331";

    private final InMemorySpanExporter exporter = InMemorySpanExporter.create();
    private final OpenTelemetry openTelemetry;

    RecordedSpans() {
        this(Sampler.alwaysOn());
    }

    RecordedSpans(Sampler sampler) {
        SdkTracerProvider provider = SdkTracerProvider.builder()
                .setSampler(sampler)
                .addSpanProcessor(SimpleSpanProcessor.create(exporter))
                .build();
        this.openTelemetry =
                OpenTelemetrySdk.builder().setTracerProvider(provider).build();
    }

    Tracing tracing() {
        return Tracing.of(openTelemetry);
    }

    List<SpanData> spans() {
        return exporter.getFinishedSpanItems();
    }

    SpanData only() {
        List<SpanData> spans = spans();
        if (spans.size() != 1) {
            throw new AssertionError(spans.size() + " spans: " + spans);
        }
        return spans.get(0);
    }

    /** What a request's span leaves in the thread. */
    static Context context(TraceState state) {
        return Context.root().with(Span.wrap(SpanContext.create(TRACE, SPAN, TraceFlags.getSampled(), state)));
    }

    static String traceparent(int number, boolean sampled) {
        return String.format("00-%032x-%016x-%s", number, number, sampled ? "01" : "00");
    }

    static OutboundMessage message(String topic, String... headers) {
        EventFacts facts = new EventFacts(
                Utf8.of("e-1"),
                Utf8.of("order.placed.v1"),
                Utf8.of("key of a person"),
                "application/json",
                Instant.EPOCH);
        List<Header> all = new ArrayList<>();
        all.add(header("event-id", "e-1"));
        for (int i = 0; i < headers.length; i += 2) {
            all.add(header(headers[i], headers[i + 1]));
        }
        return new OutboundMessage(facts, topic, null, "{}".getBytes(StandardCharsets.UTF_8), all);
    }

    static Header header(String name, String value) {
        return new Header(name, value.getBytes(StandardCharsets.UTF_8));
    }
}
