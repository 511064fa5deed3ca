package dev.waybill.trials;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** {@code waybill run} on a file that cannot be used. */
class BadFileTest {
    private static final String SECRET = "canary-4711";
    private static final String BAD = """
            server: { adress: 127.0.0.1 }
            stores:
              orders:
                type: postgres-journal
                url: jdbc:mariadb://orders:canary-4711@localhost/orders
                password: ${SHOP_PASSWORD}
              legacy: { type: tabel, layout: polyshop }
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "localhost:9092", acks: "1" } }
              rabbit: { type: rabbitmq, uri: "http://guest:canary-4711@localhost" }
            relays:
              one: { store: order, destination: kafka }
              two: { store: legacy, destination: rabbit, batch: many }
              three: { store: legacy, destination: kafka, poll: { interval: 5 minutes } }
              four: { store: legacy, destination: kafka, format: envelope }
              five: { store: legacy, destination: "${NOT_SET}" }
            """;

    @TempDir
    private Path directory;

    @Test
    void ten_mistakes_are_told_at_once_with_their_paths() throws Exception {
        Path file = Files.writeString(directory.resolve("bad.yaml"), BAD);
        try (RelayChild process =
                RelayChild.startServer("bad-file", Map.of("SHOP_PASSWORD", SECRET), List.of("run", file.toString()))) {
            assertThat(process.endsWithin(Duration.ofSeconds(60))).isTrue();

            assertThat(process.exitCode()).isEqualTo(2);
            assertThat(process.linesWith("waybill: "))
                    .singleElement()
                    .satisfies(line -> assertThat(line).endsWith("bad.yaml cannot be used, 10 things are wrong:"));
            assertThat(process.linesWith("  line "))
                    .zipSatisfy(
                            List.of(
                                    "line 1: server.adress: is not known here; did you mean \"address\"?",
                                    "line 4: stores.orders: the journal needs PostgreSQL",
                                    "line 7: stores.legacy.type: is \"tabel\" and must be one of",
                                    "line 9: destinations.kafka: The Kafka options have 1 problem(s):",
                                    "line 10: destinations.rabbit: The RabbitMQ options are not valid: the uri does not begin",
                                    "line 12: relays.one.store: is \"order\", which is not known here; did you mean"
                                            + " \"orders\"?",
                                    "line 13: relays.two.batch: is \"many\" and must be a whole number",
                                    "line 14: relays.three.poll.interval: is \"5 minutes\" and must be a duration",
                                    "line 15: relays.four: the envelope has no source",
                                    "line 16: relays.five.destination: refers to the environment variable NOT_SET"),
                            (line, words) -> assertThat(line).contains(words));
            assertThat(process.linesWith("\tat ")).isEmpty();
            assertThat(process.linesWith("Exception")).isEmpty();
            assertThat(process.linesWith(SECRET)).isEmpty();
        }
    }
}
