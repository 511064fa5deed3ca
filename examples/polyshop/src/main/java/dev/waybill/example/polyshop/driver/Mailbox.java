package dev.waybill.example.polyshop.driver;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the mail server has written. */
final class Mailbox {
    private static final JsonMapper JSON = JsonMapper.shared();

    private final Path file;

    Mailbox(Path file) {
        this.file = file;
    }

    private List<JsonNode> all() throws IOException {
        return Files.readAllLines(file).stream().map(JSON::readTree).toList();
    }

    /** Address and subject of each mail, without those that the mail server had already. */
    List<String> delivered() throws IOException {
        return all().stream()
                .filter(mail -> !mail.path("repeated").asBoolean())
                .map(mail ->
                        mail.path("to").asString() + " " + mail.path("subject").asString())
                .toList();
    }

    /** Mails that the mail server had already. */
    long repeated() throws IOException {
        return all().stream().filter(mail -> mail.path("repeated").asBoolean()).count();
    }

    /** Mails with another trace than their order. */
    long strayed(Map<String, String> tracesOfOrders) throws IOException {
        return all().stream()
                .filter(mail -> {
                    String order = mail.path("subject").asString().replaceFirst(".* ", "");
                    return !mail.path("traceId").asString().equals(tracesOfOrders.get(order));
                })
                .count();
    }
}
