package dev.waybill.server.config;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.server.secrets.Secrets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What {@code waybill config} prints of values that come from elsewhere. */
class EffectiveValuesTest {
    private static final String FILE = """
            stores:
              shop:
                type: table
                url: "jdbc:postgresql://${DB_HOST:-localhost}/shop"
                user: ${DB_USER:-app}
                password: ${DB_PASSWORD:-}
                layout: { preset: "${LAYOUT:-pubsub}", max-attempts: "${MAX_ATTEMPTS:-25}" }
                competing: ${COMPETING:-false}
            destinations:
              kafka: { type: kafka, properties: { bootstrap.servers: "${KAFKA:-localhost}:9092", client.id: "$${x}" } }
              rabbit: { type: rabbitmq, uri: "amqp://app:${MQ_PASSWORD:-guest}@${MQ_HOST:-localhost}:5672/" }
            relays:
              shop:
                store: shop
                destination: kafka
                source: ${SOURCE:-shop}
                batch: ${BATCH:-50}
                poll: { interval: "${POLL_MS:-500}ms" }
            """;

    @TempDir
    private Path directory;

    private String text(String yaml, Map<String, String> variables) throws Exception {
        Map<String, String> environment = new HashMap<>(Map.of("DB_PASSWORD", "canary-1234"));
        environment.putAll(variables);
        Path file = Files.writeString(directory.resolve("waybill.yaml"), yaml);
        try (Installation installation = Installation.read(file, environment::get, new Secrets())) {
            return installation.text();
        }
    }

    @Test
    void numbers_durations_flags_words_and_texts_are_printed_with_the_references_they_come_from() throws Exception {
        assertThat(text(
                        FILE,
                        Map.of(
                                "BATCH",
                                "7",
                                "POLL_MS",
                                "250",
                                "COMPETING",
                                "true",
                                "LAYOUT",
                                "orders",
                                "SOURCE",
                                "web shop",
                                "DB_HOST",
                                "db1",
                                "KAFKA",
                                "k1",
                                "DB_USER",
                                "relay")))
                .contains(
                        "    batch: 7 # ${BATCH:-50}\n",
                        "      interval: 250ms # ${POLL_MS:-500}ms\n",
                        "    competing: true # ${COMPETING:-false}\n",
                        "      preset: orders # ${LAYOUT:-pubsub}\n",
                        "    source: \"web shop\" # ${SOURCE:-shop}\n",
                        "    url: \"jdbc:postgresql://db1/shop\" # jdbc:postgresql://${DB_HOST:-localhost}/shop\n",
                        "      bootstrap.servers: \"k1:9092\" # ${KAFKA:-localhost}:9092\n",
                        "      client.id: \"$${x}\"\n",
                        "    user: relay # ${DB_USER:-app}\n");
        assertThat(text(FILE, Map.of("BACH", "7"))).contains("    batch: 50 # ${BATCH:-50}\n");
    }

    @Test
    void the_text_reads_back_as_the_same() throws Exception {
        String text = text(FILE, Map.of("BATCH", "7", "SOURCE", "two\nlines"));
        assertThat(text).contains("source: \"two\\nlines\" # ${SOURCE:-shop}\n");
        assertThat(text(text.replace("[hidden]@", "app:guest@"), Map.of()))
                .contains("    batch: 7\n", "    source: \"two\\nlines\"\n", "      client.id: \"$${x}\"\n");
    }

    @Test
    void a_reference_of_several_lines_is_a_comment_of_one() throws Exception {
        assertThat(text(FILE.replace("${SOURCE:-shop}", "\"a\\n${SOURCE:-shop}\""), Map.of()))
                .contains("    source: \"a\\nshop\" # a\\n${SOURCE:-shop}\n");
    }

    @Test
    void secrets_stay_references() throws Exception {
        Files.writeString(directory.resolve("batch"), "8642\n");
        String text = text(
                FILE.replace("${DB_USER:-app}", "${SESSION_TOKEN}")
                        .replace("${DB_PASSWORD:-}", "${DB_PASSWORD}")
                        .replace("${BATCH:-50}", "${file:batch}"),
                Map.of("SESSION_TOKEN", "canary-5678", "MQ_PASSWORD", "canary-9", "MQ_HOST", "mq1"));
        assertThat(text)
                .contains(
                        "    password: \"${DB_PASSWORD}\"\n",
                        "    user: \"${SESSION_TOKEN}\"\n",
                        "    batch: \"${file:batch}\"\n",
                        "    uri: \"amqp://[hidden]@mq1:5672/\" # amqp://[hidden]@${MQ_HOST:-localhost}:5672/\n")
                .doesNotContain("canary", "8642");
    }

    @Test
    void a_value_that_contains_a_known_secret_is_printed_as_its_reference_wherever_it_is() throws Exception {
        String text = text(
                FILE.replace("${MAX_ATTEMPTS:-25}", "${MAX_ATTEMPTS:-canary-1234}"),
                Map.of(
                        "SOURCE",
                        "to canary-1234",
                        "DB_HOST",
                        "canary-1234",
                        "KAFKA",
                        "k:a@amqp://u:canary-77@k",
                        "MAX_ATTEMPTS",
                        "12345678",
                        "OTHER_PASSWORD",
                        "12345678",
                        "MQ_PASSWORD",
                        "12345678"));
        assertThat(text)
                .contains(
                        "    source: \"${SOURCE:-shop}\"\n",
                        "    url: \"jdbc:postgresql://${DB_HOST:-localhost}/shop\"\n",
                        "      bootstrap.servers: \"${KAFKA:-localhost}:9092\"\n",
                        "      max-attempts: \"${MAX_ATTEMPTS:-[hidden]}\"\n")
                .doesNotContain("canary", "12345678");
    }

    @Test
    void retries_that_follow_from_the_attempts_of_the_layout_say_so() throws Exception {
        assertThat(text(FILE, Map.of("MAX_ATTEMPTS", "5")))
                .contains(
                        "      max-attempts: 5 # ${MAX_ATTEMPTS:-25}\n",
                        "      retries: 4 # max-attempts of the layout\n",
                        "      factor: 1.0 # preset pubsub\n");
        assertThat(text(FILE.replace(", max-attempts: \"${MAX_ATTEMPTS:-25}\"", ""), Map.of()))
                .contains("      retries: 24 # preset pubsub\n");
        assertThat(text(FILE, Map.of("LAYOUT", "orders"))).contains("      retries: 5 # preset orders\n");
    }
}
