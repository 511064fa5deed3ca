package dev.waybill.server.cli;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.kafka.KafkaDeadLetters;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.server.checkup.AuditedBox;
import dev.waybill.server.config.Installation;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Selects a broker's dead letters: by a destination of the configuration, or Kafka without a configuration. */
final class BoxChoice extends ConfigurationChoice {
    @Option(
            names = "--destination",
            paramLabel = "NAME",
            description = "destination of the configuration; required if there are several")
    private @Nullable String destination;

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            description = "Kafka bootstrap servers, instead of a configuration")
    private @Nullable String kafka;

    /**
     * An open box.
     *
     * @param configured dead-letter topics that the configuration names
     */
    record Open(String destination, DeadLetterBox box, Set<String> configured, Runnable closing)
            implements AutoCloseable {
        /** The known dead-letter topics. */
        Set<String> topics() {
            Set<String> topics = new TreeSet<>(configured);
            topics.addAll(box.topics());
            return topics;
        }

        /** Says what reading does to a queue that others may consume. */
        void warn(Console console, String topic) {
            if (box.takesToRead() && !topic.endsWith(DeadLetterBox.SUFFIX) && !configured.contains(topic)) {
                console.err()
                        .line("Warning: " + topic
                                + " is not known as a place of dead letters. Its messages are taken and"
                                + " returned: meanwhile its consumers do not get them, and the broker may give up those that are"
                                + " read often. If it is one, add it to dead-letters of the destination.");
            }
        }

        @Override
        public void close() {
            closing.run();
        }
    }

    Open open(Console console) {
        if (kafka != null) {
            Map<String, String> properties = Map.of("bootstrap.servers", kafka);
            KafkaDeadLetters letters = KafkaDeadLetters.of(properties, KafkaOptions.of(properties));
            return new Open("kafka", new AuditedBox(letters, List.of()), Set.of(), letters::close);
        }
        Installation installation = installation(
                console, "No broker was given: use --config FILE with --destination NAME, or --kafka HOST:PORT.");
        try {
            String name = name(installation);
            return new Open(
                    name, AuditedBox.of(installation, name), installation.deadLetterTopics(name), installation::close);
        } catch (RuntimeException e) {
            installation.close();
            throw e;
        }
    }

    private String name(Installation installation) {
        if (destination != null) {
            return destination;
        }
        if (installation.destinations().size() != 1) {
            throw CommandEndedException.usage(
                    "The configuration has several destinations. Name one with --destination: "
                            + String.join(", ", installation.destinations()) + ".");
        }
        return installation.destinations().iterator().next();
    }
}
