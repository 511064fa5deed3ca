package dev.waybill.server.config;

import dev.waybill.admin.BrokerCheckup;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.format.HeaderStyle;
import dev.waybill.spi.Destination;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** A kind of broker: its keys, and how it is reached. A new kind is a new class here and its line in {@link #ALL}. */
interface DestinationType {
    List<DestinationType> ALL = List.of(new KafkaType(), new RabbitType(), new PubSubType());

    /** As the file calls it. */
    String name();

    /** For the reference page. */
    String doc();

    Block block();

    /** What messages say of their event beside the body, where nothing else is asked for. */
    HeaderStyle headers();

    /**
     * Connects to nothing yet.
     *
     * @param section without mistakes
     * @throws IllegalArgumentException when it cannot be used; the message says why
     */
    Broker read(Section section);

    /** A broker that can be reached. */
    interface Broker {
        /** A connection of its own, for one relay: a relay that loses its lease calls back what is out on it. */
        Destination connect();

        /** What consumers gave up there, where it can be listed. */
        Optional<OpenDeadLetters> openDeadLetters();

        /** Looks it over, over a connection of its own. */
        BrokerCheckup checkup();
    }

    record OpenDeadLetters(DeadLetterBox box, Runnable closing) {}

    static Variants variants() {
        Map<String, Block> byType = new LinkedHashMap<>();
        ALL.forEach(type -> byType.put(type.name(), type.block()));
        return new Variants(byType);
    }

    static DestinationType of(Section section) {
        return ALL.stream()
                .filter(type -> type.block().equals(section.block()))
                .findFirst()
                .orElseThrow();
    }
}
