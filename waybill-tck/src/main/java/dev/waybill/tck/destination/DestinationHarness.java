package dev.waybill.tck.destination;

import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A destination for one test, with what the contract needs around it. */
public interface DestinationHarness extends AutoCloseable {
    Destination destination();

    /** A topic that takes messages and has none. */
    String newTopic();

    /** All that the topic holds now, in an order that is right for each key. */
    List<Received> everythingOn(String topic);

    /** A topic that does not exist and is not made by using it, if there can be one. */
    Optional<String> missingTopic();

    /** A topic that exists and that this destination may not write to, if there can be one. */
    Optional<String> forbiddenTopic();

    /** Makes a topic that fails for a while, if there can be one: what is sent to it is to be retried, until it is mended. */
    default Optional<Trouble> trouble() {
        return Optional.empty();
    }

    /** The way to take the broker away, if there is one. The destination gives up on it within seconds. */
    Optional<Outage> outage();

    /**
     * Lets one request to the broker fail: {@link Failure#BEFORE}, {@link Failure#REPLY_LOST} or {@link Failure#STALL}, where
     * the request that hangs is never answered.
     *
     * @return nothing when requests of this destination cannot be made to fail yet
     */
    default Optional<FaultInjection> faults() {
        return Optional.empty();
    }

    /** Lets go of everything, and brings the broker back. */
    @Override
    void close();

    /** A broker that can be taken away. */
    interface Outage {
        /** Takes the broker away; returns when it is gone. */
        void begin();

        /** Brings the broker back, with what it held; returns when it can be used. */
        void end();
    }

    /** A topic in trouble. */
    interface Trouble {
        String topic();

        /** From now on the topic takes messages. */
        void end();
    }

    /** A message as a consumer sees it. */
    record Received(byte @Nullable [] key, byte[] value, List<Header> headers) {}
}
