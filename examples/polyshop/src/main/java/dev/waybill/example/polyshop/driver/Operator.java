package dev.waybill.example.polyshop.driver;

import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Program;
import dev.waybill.server.cli.WaybillCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.apache.kafka.clients.consumer.ConsumerRecord;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** The operator: looks at dead letters and sends them back, with the commands of {@code waybill}. */
final class Operator {
    static final String LETTERS = "order.order.placed.v1.dlt";

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final List<String> FIELDS =
            List.of("eventId", "originalEvent", "errorMessage", "failedAt", "consumerService");

    private final ExampleRun run;
    private final Shop shop;
    private final Processes processes;

    Operator(ExampleRun run, Shop shop, Processes processes) {
        this.run = run;
        this.shop = shop;
        this.processes = processes;
    }

    /** The letters by the id of their event. A consumer that is killed before it acknowledges writes a letter again. */
    Map<String, JsonNode> letters() {
        Map<String, JsonNode> letters = new LinkedHashMap<>();
        for (ConsumerRecord<String, String> record : shop.topics.everything(List.of(LETTERS))) {
            JsonNode letter = JSON.readTree(record.value());
            letters.put(letter.path("eventId").asString(), letter);
        }
        return letters;
    }

    /** Letters with all fields of the document, from the inventory, about the missing product. */
    long complete(Map<String, JsonNode> letters) {
        return letters.values().stream()
                .filter(letter -> FIELDS.stream().allMatch(letter::hasNonNull))
                .filter(letter -> letter.path("consumerService").asString().equals(Service.INVENTORY.label))
                .filter(letter -> letter.path("errorMessage").asString().contains("product not found"))
                .filter(letter -> letter.path("originalEvent")
                        .path("eventId")
                        .asString()
                        .equals(letter.path("eventId").asString()))
                .count();
    }

    /** How many letters are listed. */
    int list() throws IOException, InterruptedException {
        String listed = waybill("dead-letters-list", "dead-letters", "list", LETTERS, "--limit", "1000");
        return JSON.readTree(lastLine(listed)).size();
    }

    /** How many letters were sent back. */
    int sendBack() throws IOException, InterruptedException {
        String done = waybill(
                "dead-letters-send-back",
                "dead-letters",
                "send-back",
                LETTERS,
                "--all",
                "--yes",
                "--as",
                "operator",
                "--reason",
                "the products are entered now");
        return JSON.readTree(lastLine(done)).path("sentBack").asInt();
    }

    /** The answer; above it is what was logged. */
    private static String lastLine(String printed) {
        String text = printed.strip();
        return text.substring(text.lastIndexOf('\n') + 1);
    }

    private String waybill(String name, String... words) throws IOException, InterruptedException {
        List<String> arguments = new ArrayList<>(List.of(words));
        arguments.addAll(List.of("--json", "--config", processes.configuration.toString()));
        return run.execute(Program.java(name, WaybillCommand.class, arguments.toArray(String[]::new)));
    }
}
