package dev.waybill.tck.source;

import dev.waybill.spi.MessageSource;
import dev.waybill.tck.destination.DestinationHarness.Outage;
import dev.waybill.tck.faults.FaultInjection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** One topic without messages for one test, and a consumer's way to it. */
public interface SourceHarness extends AutoCloseable {
    /** Every subscription of it belongs to the same consumer: they share the messages out. */
    MessageSource source();

    /** What the messages say of where they were sent to. */
    String topic();

    /** Sends them as a relay would, in this order; returns when the broker has them. */
    void send(List<Sent> messages);

    /**
     * Whether each message is acknowledged for itself. If not, those of a key that came after one that is open may come again
     * with it.
     */
    boolean acknowledgesEach();

    /** Whether a key keeps its order when several consume, because all of it goes to one of them. */
    boolean membersKeepOrder();

    /** The way to take the broker away, if there is one. */
    Optional<Outage> outage();

    /**
     * Lets one request to the broker fail.
     *
     * @return nothing when requests to this broker cannot be made to fail
     */
    default Optional<FaultInjection> faults() {
        return Optional.empty();
    }

    /** Lets go of everything, and brings the broker back. */
    @Override
    void close();

    /** A message to send. */
    record Sent(@Nullable String key, byte[] value, Map<String, String> headers) {}
}
