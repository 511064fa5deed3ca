package dev.waybill.connect;

import dev.waybill.RelayName;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.transaction.WindowPosition;
import java.util.Map;
import java.util.Optional;
import org.apache.kafka.connect.errors.ConnectException;
import org.apache.kafka.connect.storage.OffsetStorageReader;

/** The offsets that Connect has committed for a relay. Connect has fenced older tasks before it starts one. */
final class CommittedOffsets {
    private static final String PREFIX = "waybill-";

    private final RelayName relay;
    private final OffsetStorageReader reader;

    CommittedOffsets(RelayName relay, OffsetStorageReader reader) {
        this.relay = relay;
        this.reader = reader;
    }

    /**
     * @param partition of the store in Connect
     * @param position committed last
     */
    record Committed(Map<String, String> partition, Optional<WindowPosition> position) {}

    /**
     * @param writer the id of the relay at its destinations: {@code waybill-ORIGIN-RELAY}
     * @throws DestinationUnavailableException if they cannot be read
     */
    Committed of(String writer) {
        String origin = writer.substring(
                PREFIX.length(), writer.length() - relay.value().length() - 1);
        Map<String, String> partition = SourceOffsets.partition(relay, origin);
        try {
            return new Committed(partition, SourceOffsets.position(reader.offset(partition)));
        } catch (ConnectException e) {
            throw new DestinationUnavailableException(
                    "Kafka Connect could not read the committed offset of the relay (" + e.getMessage() + ")", e);
        }
    }
}
