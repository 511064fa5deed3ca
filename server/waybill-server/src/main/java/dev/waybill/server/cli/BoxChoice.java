package dev.waybill.server.cli;

import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.kafka.KafkaDeadLetters;
import dev.waybill.kafka.KafkaOptions;
import dev.waybill.server.config.Installation;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Whose dead letters: those of a destination of the configuration, or of a Kafka without one. */
final class BoxChoice {
    @Option(
            names = {"-c", "--config"},
            paramLabel = "FILE",
            description =
                    "the configuration of waybill run; else the environment variable " + Surroundings.CONFIGURATION)
    private @Nullable Path file;

    @Option(
            names = "--destination",
            paramLabel = "NAME",
            description = "the destination in the configuration, where it has several")
    private @Nullable String destination;

    @Option(
            names = "--kafka",
            paramLabel = "HOST:PORT",
            description = "or a Kafka without a configuration, by its bootstrap servers")
    private @Nullable String kafka;

    /** A box while it is open. */
    record Open(DeadLetterBox box, Runnable closing) implements AutoCloseable {
        @Override
        public void close() {
            closing.run();
        }
    }

    Open open(Surroundings surroundings) {
        if (kafka != null) {
            Map<String, String> properties = Map.of("bootstrap.servers", kafka);
            KafkaDeadLetters letters = KafkaDeadLetters.connect(properties, KafkaOptions.of(properties));
            return new Open(new AuditedBox(letters, List.of()), letters::close);
        }
        Path read = Optional.ofNullable(file)
                .or(() -> surroundings.configuration().map(Path::of))
                .orElseThrow(() -> CommandEndedException.usage(
                        "Whose dead letters? Give --config FILE with --destination NAME, or --kafka HOST:PORT."));
        Installation installation = Installation.read(read, surroundings.secrets());
        try {
            String name = name(installation);
            DeadLetterBox box = installation
                    .deadLetters(name)
                    .orElseThrow(() -> CommandEndedException.usage(
                            "Dead letters of the destination " + name + " cannot be listed by this Waybill."));
            return new Open(new AuditedBox(box, stores(installation, name)), installation::close);
        } catch (RuntimeException e) {
            installation.close();
            throw e;
        }
    }

    /** Those of the relays that publish there. */
    private static List<StoreAdmin> stores(Installation installation, String destination) {
        return installation.relays().stream()
                .filter(relay -> installation.destinationOf(relay).equals(destination))
                .map(installation::storeOf)
                .distinct()
                .map(installation::admin)
                .toList();
    }

    private String name(Installation installation) {
        if (destination != null) {
            return destination;
        }
        if (installation.destinations().size() != 1) {
            throw CommandEndedException.usage("Which destination? Name it with --destination: "
                    + String.join(", ", installation.destinations()) + ".");
        }
        return installation.destinations().iterator().next();
    }
}
