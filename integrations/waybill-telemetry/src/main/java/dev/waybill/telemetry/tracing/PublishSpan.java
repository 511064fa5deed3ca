package dev.waybill.telemetry.tracing;

import dev.waybill.relay.RelayListener.Sending;
import dev.waybill.spi.Delivery;
import io.opentelemetry.api.trace.Span;
import io.opentelemetry.api.trace.StatusCode;
import io.opentelemetry.context.Scope;
import java.util.EnumMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/**
 * The span of one call of the destination: current until the call returns, and ended when every message is answered. Says how many
 * messages had each outcome; the texts of the errors are left to the logs.
 */
final class PublishSpan implements Sending {
    private static final String OUTCOME = "waybill.outcome.";
    /** By how much they affect: an unavailable broker all events, a refusal only one. */
    private static final List<Delivery.Kind> WORST_FIRST = List.of(
            Delivery.Kind.UNAVAILABLE,
            Delivery.Kind.IN_DOUBT,
            Delivery.Kind.REFUSED,
            Delivery.Kind.RETRY,
            Delivery.Kind.BEHIND);

    private final Span span;
    private final Scope scope;

    PublishSpan(Span span, Scope scope) {
        this.span = span;
        this.scope = scope;
    }

    @Override
    public void handedOver() {
        scope.close();
    }

    @Override
    public void ended(List<Delivery> deliveries) {
        if (span.isRecording()) {
            if (deliveries.isEmpty()) {
                fail("abandoned", "The relay's session ended before the destination answered.");
            } else {
                describe(deliveries);
            }
        }
        span.end();
    }

    private void describe(List<Delivery> deliveries) {
        Map<Delivery.Kind, Long> counts = new EnumMap<>(Delivery.Kind.class);
        long delivered = 0;
        for (Delivery delivery : deliveries) {
            if (delivery.kind() == Delivery.Kind.DELIVERED) {
                delivered++;
            } else {
                counts.merge(delivery.kind(), 1L, Long::sum);
            }
        }
        span.setAttribute(OUTCOME + name(Delivery.Kind.DELIVERED), delivered);
        counts.forEach((kind, count) -> span.setAttribute(OUTCOME + name(kind), count));
        if (!counts.isEmpty()) {
            Delivery.Kind worst =
                    WORST_FIRST.stream().filter(counts::containsKey).findFirst().orElseThrow();
            fail(
                    name(worst),
                    deliveries.size() - delivered + " of " + deliveries.size() + " messages were not delivered.");
        }
    }

    private void fail(String type, String description) {
        span.setAttribute(Names.ERROR, type);
        span.setStatus(StatusCode.ERROR, description);
    }

    private static String name(Delivery.Kind kind) {
        return kind.name().toLowerCase(Locale.ROOT);
    }
}
