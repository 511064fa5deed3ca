package dev.waybill.format;

import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.Utf8;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The trace an event belongs to: the second field of its traceparent, {@code 00-<trace id>-<parent id>-<flags>}. */
public final class TraceId {
    private static final String TRACE_ID = "traceId";
    /** Larger bodies are not read for a log line, because a body may consist of very many members. */
    private static final int LARGEST_ENVELOPE = 65_536;

    private TraceId() {}

    /**
     * For log lines about a stored event.
     *
     * @param headersJson as {@link dev.waybill.spi.StoredEvent#headersJson} returns it
     */
    public static Optional<String> ofHeaders(@Nullable Utf8 headersJson) {
        if (headersJson == null) {
            return Optional.empty();
        }
        try {
            return of(OwnHeaders.of("unknown", headersJson)).map(id -> new String(id, StandardCharsets.UTF_8));
        } catch (FormatException e) {
            return Optional.empty();
        }
    }

    /** For log lines about a message: from its headers, or from the metadata of an envelope that is not large. */
    public static Optional<String> of(InboundMessage message) {
        return message.header(HeaderNames.TRACEPARENT)
                .flatMap(parent -> secondField(parent.getBytes(StandardCharsets.UTF_8)))
                .map(id -> new String(id, StandardCharsets.UTF_8))
                .or(() -> message.header(TRACE_ID))
                .or(() -> inMetadata(message.value()));
    }

    private static Optional<String> inMetadata(byte[] envelope) {
        if (envelope.length > LARGEST_ENVELOPE) {
            return Optional.empty();
        }
        try {
            return JsonMembers.of(envelope)
                    .value("metadata")
                    .flatMap(metadata -> JsonMembers.of(metadata).text(TRACE_ID));
        } catch (MalformedMessageException e) {
            return Optional.empty();
        }
    }

    static Optional<byte[]> of(OwnHeaders own) {
        return own.find(HeaderNames.TRACEPARENT).flatMap(TraceId::secondField).or(() -> own.find(TRACE_ID));
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
