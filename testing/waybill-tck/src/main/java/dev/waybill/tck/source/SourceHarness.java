package dev.waybill.tck.source;

import dev.waybill.spi.MessageSource;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.faults.FaultInjection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One empty topic for one test, and a source for its consumer. */
public interface SourceHarness extends AutoCloseable {
    /** All its subscriptions belong to the same consumer and share the messages. */
    MessageSource source();

    /** The topic that messages report. */
    String topic();

    /** Sends the messages as a relay would, in this order; returns when the broker has them. */
    void send(List<Sent> messages);

    /**
     * Whether each message is acknowledged individually. If not, later messages of a key may be delivered again
     * together with an unacknowledged one.
     */
    boolean acknowledgesEach();

    /** Whether a key keeps its order with several consumers, because one of them receives the whole key. */
    boolean membersKeepOrder();

    /** Stops and starts the broker, if supported. */
    Optional<Outage> outage();

    /**
     * Makes one request to the broker fail.
     *
     * @return empty if requests to this broker cannot be made to fail
     */
    default Optional<FaultInjection> faults() {
        return Optional.empty();
    }

    /** Releases all resources and restarts the broker. */
    @Override
    void close();

    /** A message to send. */
    record Sent(@Nullable String key, byte[] value, Map<String, String> headers) {}
}
