package dev.waybill.connect;

import dev.waybill.RelayName;
import dev.waybill.spi.transaction.WindowPosition;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/**
 * Partitions and offsets in Connect's sense: a relay of a store, and how far it has come.
 *
 * <p>Connect finds the offset of a partition by the bytes of its JSON, in which the keys of a map have no certain order. So a
 * partition has one key.
 */
final class SourceOffsets {
    static final String FROM = "from";

    private static final String RELAY = "relay";
    private static final String WINDOW = "window";
    private static final String SEQ = "seq";
    private static final String EVENT = "event";

    private SourceOffsets() {}

    /** @param store the origin of a journal whose positions are committed; otherwise its name in the configuration */
    static Map<String, String> partition(RelayName relay, String store) {
        return Map.of(RELAY, relay + "@" + store);
    }

    static Map<String, Object> offset(WindowPosition position) {
        return Map.of(WINDOW, position.window().toString(), SEQ, position.seq());
    }

    /** The offset of a store that keeps its position itself, for people. */
    static Map<String, String> offsetOfEvent(String id) {
        return Map.of(EVENT, id);
    }

    /** @return empty if the offset is not a position */
    static Optional<WindowPosition> position(@Nullable Map<String, ?> offset) {
        if (offset == null) {
            return Optional.empty();
        }
        return WindowPosition.parse(offset.get(WINDOW) + ":" + offset.get(SEQ));
    }
}
