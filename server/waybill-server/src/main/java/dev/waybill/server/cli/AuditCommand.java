package dev.waybill.server.cli;

import dev.waybill.admin.AuditEntry;
import dev.waybill.server.terminal.Cell;
import dev.waybill.server.terminal.Table;
import dev.waybill.server.terminal.Tone;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "audit",
        mixinStandardHelpOptions = true,
        description =
                "What people did to a store, newest first: when, as which user of the database, as whom they said they are, what, to"
                        + " which relay, to how much of it, and why. What was denied is there too.")
final class AuditCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "50",
            description = "how many; ${DEFAULT-VALUE} unless said")
    private int limit = 50;

    @Override
    public Integer call() {
        try (Stores stores = choice.open(output.surroundings())) {
            List<AuditEntry> entries = stores.only().admin().audit(limit);
            if (output.isJson()) {
                output.json(entries.stream().map(AuditCommand::json).toList());
            } else if (entries.isEmpty()) {
                output.line("Nobody has changed anything in this store yet.");
            } else {
                output.print(table(entries));
            }
        }
        return ExitCode.OK.number();
    }

    private static Table table(List<AuditEntry> entries) {
        Table table = new Table()
                .column("WHEN")
                .column("USER")
                .column("AS")
                .column("DID")
                .textColumn("RELAY");
        table.textColumn("TO").textColumn("WHY");
        for (AuditEntry entry : entries) {
            table.row(
                    Cell.of(Cell.time(entry.at())),
                    Cell.of(entry.login().map(AuditEntry.Login::user).orElse("")),
                    Cell.of(entry.by().who()),
                    new Cell(entry.allowed() ? entry.action() : entry.action() + " DENIED", tone(entry)),
                    Cell.of(entry.relay()),
                    Cell.of(entry.details()),
                    Cell.of(entry.by().why()));
        }
        return table;
    }

    private static Tone tone(AuditEntry entry) {
        return entry.allowed() ? Tone.PLAIN : Tone.BAD;
    }

    private static Map<String, Object> json(AuditEntry entry) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("at", entry.at().toString());
        one.put("who", entry.by().who());
        entry.login().ifPresent(login -> {
            one.put("user", login.user());
            login.address().ifPresent(address -> one.put("address", address));
        });
        one.put("allowed", entry.allowed());
        one.put("why", entry.by().why());
        one.put("action", entry.action());
        one.put("relay", entry.relay());
        one.put("details", entry.details());
        return one;
    }
}
