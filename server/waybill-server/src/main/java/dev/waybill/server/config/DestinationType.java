package dev.waybill.server.config;

import dev.waybill.admin.BrokerCheckup;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.format.HeaderStyle;
import dev.waybill.spi.Destination;
import java.util.List;
import java.util.Set;
import java.util.function.Supplier;

/** A kind of broker, created from its section. A new kind needs a class here, its line in {@link #ALL}, and its keys in the schema. */
interface DestinationType {
    List<DestinationType> ALL = List.of(new KafkaType(), new RabbitType(), new PubSubType());

    /** Its {@code type} in the file. */
    String name();

    /** Its name in traces: the value of {@code messaging.system}. */
    String messagingSystem();

    /** Whether relays can deliver exactly once to it. */
    boolean hasTransactions();

    /** The default style of headers. */
    HeaderStyle headers();

    /**
     * Connects to nothing yet.
     *
     * @param section without mistakes
     * @throws IllegalArgumentException if it cannot be used; the message says why
     */
    Broker read(Section section);

    /**
     * A broker.
     *
     * @param connecting opens a connection for one relay: a relay that loses its lease aborts all messages in flight on it
     * @param openingDeadLetters opens the dead letters of its consumers
     * @param deadLetterTopics dead-letter topics or queues that the file names
     * @param examining examines it over a connection of its own
     * @param countsFreely whether dead letters are counted without withholding them from others for a while
     */
    record Broker(
            Supplier<Destination> connecting,
            Supplier<OpenDeadLetters> openingDeadLetters,
            Set<String> deadLetterTopics,
            Supplier<BrokerCheckup> examining,
            boolean countsFreely) {}

    record OpenDeadLetters(DeadLetterBox box, Runnable closing) {}

    static DestinationType of(Section section) {
        return ALL.stream()
                .filter(type -> type.name().equals(section.text("type")))
                .findFirst()
                .orElseThrow();
    }
}
