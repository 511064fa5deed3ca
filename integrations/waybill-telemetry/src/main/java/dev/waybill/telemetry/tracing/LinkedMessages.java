package dev.waybill.telemetry.tracing;

import dev.waybill.spi.OutboundMessage;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Selects the messages that the span of a batch links to: at most {@link #MOST}, those of sampled traces first. Looks only at the
 * bytes of the headers, and stops when enough sampled ones are found, because it runs for every batch.
 */
final class LinkedMessages {
    /** Half of the links that OpenTelemetry's SDK keeps by default. */
    static final int MOST = 64;

    /** Of {@code 00-<trace id>-<span id>-<flags>}. */
    private static final int TRACE_ID = 3;

    private static final int SPAN_ID = 36;
    private static final int FLAGS = 53;
    private static final int LENGTH = 55;

    private LinkedMessages() {}

    static List<OutboundMessage> of(List<OutboundMessage> batch) {
        List<OutboundMessage> sampled = new ArrayList<>();
        List<OutboundMessage> others = new ArrayList<>();
        byte[] before = null;
        for (OutboundMessage message : batch) {
            byte[] traceparent = EventContext.traceparent(message);
            // Events of one transaction have the same context and are often adjacent.
            if (traceparent != null && !Arrays.equals(traceparent, before) && isContext(traceparent)) {
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

    /**
     * Whether OpenTelemetry reads it as a valid context. Others, which any service that appends can write, must not take the place
     * of a link.
     */
    private static boolean isContext(byte[] traceparent) {
        return traceparent.length >= LENGTH
                && isHex(traceparent, 0, TRACE_ID - 1)
                && isHex(traceparent, TRACE_ID, SPAN_ID - 1)
                && isHex(traceparent, SPAN_ID, FLAGS - 1)
                && isHex(traceparent, FLAGS, LENGTH)
                && !isAll('0', traceparent, TRACE_ID, SPAN_ID - 1)
                && !isAll('0', traceparent, SPAN_ID, FLAGS - 1)
                && !isAll('f', traceparent, 0, TRACE_ID - 1)
                && hasDashes(traceparent)
                && endsWell(traceparent);
    }

    private static boolean hasDashes(byte[] traceparent) {
        return traceparent[TRACE_ID - 1] == '-' && traceparent[SPAN_ID - 1] == '-' && traceparent[FLAGS - 1] == '-';
    }

    /** Only versions after the first may have more, after another dash. */
    private static boolean endsWell(byte[] traceparent) {
        return traceparent.length == LENGTH
                || (traceparent[LENGTH] == '-' && !isAll('0', traceparent, 0, TRACE_ID - 1));
    }

    private static boolean isHex(byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            boolean hex = (text[i] >= '0' && text[i] <= '9') || (text[i] >= 'a' && text[i] <= 'f');
            if (!hex) {
                return false;
            }
        }
        return true;
    }

    private static boolean isAll(char digit, byte[] text, int from, int to) {
        for (int i = from; i < to; i++) {
            if (text[i] != digit) {
                return false;
            }
        }
        return true;
    }

    /** The second digit of the flags is odd if the trace is sampled. */
    private static boolean isSampled(byte[] traceparent) {
        return Character.digit(traceparent[LENGTH - 1], 16) % 2 == 1;
    }
}
