package dev.waybill.telemetry.tracing;

import dev.waybill.spi.OutboundMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * Selects the messages that the span of a batch links to: at most {@link #MOST}, those of sampled traces first. Looks only at the
 * bytes of the headers, and stops when enough sampled ones are found, because it runs for every batch.
 */
final class LinkedMessages {
    /** Half of the links that OpenTelemetry's SDK keeps by default. */
    static final int MOST = 64;
    /** Of {@code 00-<trace id>-<span id>-<flags>}: the second digit of the flags, which is odd if the trace is sampled. */
    private static final int LAST_DIGIT = 54;

    private LinkedMessages() {}

    static List<OutboundMessage> of(List<OutboundMessage> batch) {
        List<OutboundMessage> sampled = new ArrayList<>();
        List<OutboundMessage> others = new ArrayList<>();
        byte[] before = null;
        for (OutboundMessage message : batch) {
            byte[] traceparent = EventContext.traceparent(message);
            // Events of one transaction have the same context and are often adjacent.
            if (traceparent != null && !Arrays.equals(traceparent, before)) {
                before = traceparent;
                List<OutboundMessage> kind = isSampled(traceparent) ? sampled : others;
                if (kind.size() < MOST) {
                    kind.add(message);
                }
                if (sampled.size() == MOST) {
                    return sampled;
                }
            }
        }
        sampled.addAll(others.subList(0, Math.min(others.size(), MOST - sampled.size())));
        return sampled;
    }

    private static boolean isSampled(byte @Nullable [] traceparent) {
        return traceparent != null
                && traceparent.length > LAST_DIGIT
                && Character.digit(traceparent[LAST_DIGIT], 16) % 2 == 1;
    }
}
