package dev.waybill.format;

import java.util.Arrays;
import java.util.Optional;

/** The trace an event belongs to: the second field of its traceparent, {@code 00-<trace id>-<parent id>-<flags>}. */
final class TraceId {
    private TraceId() {}

    static Optional<byte[]> of(OwnHeaders own) {
        return own.find(HeaderNames.TRACEPARENT).flatMap(TraceId::secondField).or(() -> own.find("traceId"));
    }

    private static Optional<byte[]> secondField(byte[] traceparent) {
        int first = indexOfHyphen(traceparent, 0);
        int second = indexOfHyphen(traceparent, first + 1);
        return first < 0 || second <= first + 1
                ? Optional.empty()
                : Optional.of(Arrays.copyOfRange(traceparent, first + 1, second));
    }

    private static int indexOfHyphen(byte[] text, int from) {
        for (int i = from; i < text.length; i++) {
            if (text[i] == '-') {
                return i;
            }
        }
        return -1;
    }
}
