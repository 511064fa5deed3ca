package dev.waybill.server.logs;

import static org.assertj.core.api.Assertions.assertThat;

import ch.qos.logback.classic.Level;
import ch.qos.logback.classic.LoggerContext;
import ch.qos.logback.classic.spi.LoggingEvent;
import dev.waybill.server.secrets.Secrets;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.slf4j.event.KeyValuePair;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

class LogLinesTest {
    private static final Secrets SECRETS = new Secrets();

    static {
        SECRETS.add("canary-1234");
    }

    private static LoggingEvent event() {
        LoggerContext context = new LoggerContext();
        LoggingEvent event = new LoggingEvent(
                "",
                context.getLogger("dev.waybill.relay.Somebody"),
                Level.ERROR,
                "Relay {}: event {} is dead (said \"canary-1234\").",
                new IllegalStateException("canary-1234 is wrong"),
                new Object[] {"orders", "e-1"});
        event.setInstant(Instant.parse("2026-11-15T08:30:00.123Z"));
        event.setMDCPropertyMap(Map.of("relay", "orders"));
        event.addKeyValuePair(new KeyValuePair("eventId", "e-1"));
        event.addKeyValuePair(new KeyValuePair("traceId", "0af7651916cd43dd8448eb211c80319c"));
        event.addKeyValuePair(new KeyValuePair("attempt", 3));
        return event;
    }

    private static String line(LogFormat format) {
        return new String(new LogLines(format, SECRETS).encode(event()), StandardCharsets.UTF_8);
    }

    @Test
    void json_is_one_object_per_line_with_relay_and_event() {
        String line = line(LogFormat.JSON);
        JsonNode json = JsonMapper.builder().build().readTree(line);

        assertThat(line).endsWith("}\n").hasLineCount(1);
        assertThat(json.get("relay").asString()).isEqualTo("orders");
        assertThat(json.get("eventId").asString()).isEqualTo("e-1");
        assertThat(json.get("level").asString()).isEqualTo("ERROR");
        assertThat(json.get("time").asString()).isEqualTo("2026-11-15T08:30:00.123Z");
        assertThat(json.get("message").asString()).isEqualTo("Relay orders: event e-1 is dead (said \"[hidden]\").");
        assertThat(json.get("error").asString()).startsWith("java.lang.IllegalStateException: [hidden] is wrong");
    }

    @Test
    void an_event_cannot_forge_a_log_line() {
        LoggingEvent event = new LoggingEvent(
                "", new LoggerContext().getLogger("somebody"), Level.WARN, "event {} was refused", null, new Object[] {
                    "placed\n2026-11-15T08:30:00Z INFO all is well\u001b[2J\u2028"
                });
        event.setInstant(Instant.EPOCH);
        event.setMDCPropertyMap(Map.of());
        for (LogFormat format : LogFormat.values()) {
            String line = new String(new LogLines(format, SECRETS).encode(event), StandardCharsets.UTF_8);
            assertThat(line).hasLineCount(1).doesNotContain("\u001b");
        }
    }

    @Test
    void text_is_for_people_with_the_ids_of_event_and_trace_and_has_no_secret_either() {
        assertThat(line(LogFormat.TEXT))
                .startsWith("2026-11-15T08:30:00.123Z ERROR Relay orders: event e-1 is dead (said \"[hidden]\")."
                        + " eventId=e-1 traceId=0af7651916cd43dd8448eb211c80319c\n")
                .doesNotContain("canary-1234");
    }

    @Test
    void an_error_cannot_forge_a_log_line_or_control_a_terminal() {
        LoggingEvent event = new LoggingEvent(
                "",
                new LoggerContext().getLogger("somebody"),
                Level.WARN,
                "no",
                new IllegalStateException("x\n2026-11-15T08:30:00Z INFO all is well\u009b2J\u202e\ud800"),
                null);
        event.setInstant(Instant.EPOCH);
        event.setMDCPropertyMap(Map.of());
        for (LogFormat format : LogFormat.values()) {
            String line = new String(new LogLines(format, SECRETS).encode(event), StandardCharsets.UTF_8);
            assertThat(line).doesNotContain("\n2026", "\u009b", "\u202e").contains("all is well");
        }
    }

    @Test
    void json_contains_no_control_characters() {
        String hostile = "\u009b31m\u202e\u2028\ud800 \udb40\udc01é";

        assertThat(JsonLine.of(hostile)).isEqualTo("\"\\u009b31m\\u202e\\u2028\\ud800 \\udb40\\udc01é\"");
        assertThat(JsonMapper.builder().build().readTree(JsonLine.of(hostile)).asString())
                .isEqualTo(hostile);
    }

    @Test
    void in_json_secrets_are_hidden_only_in_strings() {
        Secrets secrets = new Secrets();
        List.of("events", "8080", "true", "dead").forEach(secrets::add);

        assertThat(JsonLine.of(
                        Map.of("events", List.of(8080, true, "dead 8080", Map.of("dead", Optional.of("true")))),
                        secrets))
                .isEqualTo("{\"events\":[8080,true,\"[hidden] [hidden]\",{\"dead\":\"[hidden]\"}]}");
    }
}
