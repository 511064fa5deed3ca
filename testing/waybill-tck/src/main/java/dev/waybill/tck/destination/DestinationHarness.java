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
    Optional<BadTopic> missingTopic();

    /** A topic that exists and that this destination may not write to, if there can be one. */
    Optional<BadTopic> forbiddenTopic();

    /** Makes a topic that fails for a while, if there can be one: what is sent to it is to be retried, until it is mended. */
    Optional<Trouble> trouble();

    /** The way to take the broker away, if there is one. The destination gives up on it within seconds. */
    Optional<Outage> outage();

    /**
     * Lets one request to the broker fail: {@link Failure#BEFORE}, {@link Failure#REPLY_LOST}, {@link Failure#DISCONNECTED} or
     * {@link Failure#STALL}, where the request that hangs is never answered.
     *
     * @return nothing when requests of this destination cannot be made to fail
     */
    Optional<FaultInjection> faults();

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

    /** What becomes of a message to a topic that does not take it. */
    enum Fate {
        /** It is to be retried. */
        WAITS,
        REFUSED
    }

    /** A topic that takes no messages from this destination. */
    record BadTopic(String name, Fate fate) {}

    /** A topic in trouble. */
    interface Trouble {
        String topic();

        /** From now on the topic takes messages. */
        void end();
    }

    /** A message as a consumer sees it. */
    record Received(byte @Nullable [] key, byte[] value, List<Header> headers) {}
}
