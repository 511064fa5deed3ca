package dev.waybill.example.polyshop.driver;

import dev.waybill.example.kit.ExampleRun;
import dev.waybill.example.kit.Program;
import dev.waybill.server.cli.WaybillCommand;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import tools.jackson.databind.json.JsonMapper;

/** The operator: looks at dead letters and sends them back, with the commands of {@code waybill}. */
final class Operator {
    static final String LETTERS = "order.order.placed.v1.dlt";

    private static final JsonMapper JSON = JsonMapper.shared();

    private final ExampleRun run;
    private final Processes processes;

    Operator(ExampleRun run, Processes processes) {
        this.run = run;
        this.processes = processes;
    }

    /** How many letters are listed. */
    int list() throws IOException, InterruptedException {
        String listed = waybill("dead-letters-list", "dead-letters", "list", LETTERS, "--limit", "1000");
        return JSON.readTree(lastLine(listed)).size();
    }

    /** How many letters were sent back. */
    int sendBack() throws IOException, InterruptedException {
        return forAll("send-back", LETTERS, "the products are entered now", "sentBack");
    }

    /** How many letters with garbage were discarded. */
    int discardGarbage() throws IOException, InterruptedException {
        int discarded = 0;
        for (String topic : Garbage.TOPICS) {
            discarded += forAll("discard", topic + ".dlt", "a tool wrote garbage", "discarded");
        }
        return discarded;
    }

    private int forAll(String action, String topic, String reason, String counted)
            throws IOException, InterruptedException {
        String done = waybill(
                "dead-letters-" + action,
                "dead-letters",
                action,
                topic,
                "--all",
                "--yes",
                "--as",
                "operator",
                "--reason",
                reason);
        return JSON.readTree(lastLine(done)).path(counted).asInt();
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
