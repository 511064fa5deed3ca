package dev.waybill.tck.destination;

import dev.waybill.spi.Destination;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** A destination for one test, with the operations that the contract needs. */
public interface DestinationHarness extends AutoCloseable {
    Destination destination();

    /** An empty topic that accepts messages. */
    String newTopic();

    /** All messages of the topic, in order within each key. */
    List<Received> everythingOn(String topic);

    /** A topic that does not exist and is not created on use, if supported. */
    Optional<BadTopic> missingTopic();

    /** A topic that exists and that this destination may not write to, if supported. */
    Optional<BadTopic> forbiddenTopic();

    /** Creates a topic that fails temporarily, if supported: messages to it must be retried until it is repaired. */
    Optional<Trouble> trouble();

    /** Stops and starts the broker, if supported. The destination gives up on it within seconds. */
    Optional<Outage> outage();

    /**
     * Makes one request to the broker fail: {@link Failure#BEFORE}, {@link Failure#REPLY_LOST}, {@link
     * Failure#DISCONNECTED} or {@link Failure#STALL}, where the request that hangs is never answered.
     *
     * @return empty if requests of this destination cannot be made to fail
     */
    Optional<FaultInjection> faults();

    /** Releases all resources and restarts the broker. */
    @Override
    void close();

    /** A broker that can be stopped. */
    interface Outage {
        /** Stops the broker; returns when it has stopped. */
        void begin();

        /** Restarts the broker with its messages; returns when it can be used. */
        void end();
    }

    /** Outcome for a message to a topic that does not accept it. */
    enum Fate {
        /** The message must be retried. */
        WAITS,
        REFUSED
    }

    /** A topic that accepts no messages from this destination. */
    record BadTopic(String name, Fate fate) {}

    /** A topic that fails temporarily. */
    interface Trouble {
        String topic();

        /** From now on the topic accepts messages. */
        void end();
    }

    /** A message as a consumer sees it. */
    record Received(byte @Nullable [] key, byte[] value, List<Header> headers) {}
}
