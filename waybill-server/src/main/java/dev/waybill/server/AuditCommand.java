package dev.waybill.server;

import dev.waybill.admin.AuditEntry;
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
                "What people did to a store, newest first: when, who, what, to which relay, to how much of it, and why.")
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
        Table table = new Table().column("WHEN").column("WHO").column("DID").textColumn("RELAY");
        table.textColumn("TO").textColumn("WHY");
        for (AuditEntry entry : entries) {
            table.row(
                    Cell.of(Cell.time(entry.at())),
                    Cell.of(entry.by().who()),
                    Cell.of(entry.action()),
                    Cell.of(entry.relay()),
                    Cell.of(entry.details()),
                    Cell.of(entry.by().why()));
        }
        return table;
    }

    private static Map<String, Object> json(AuditEntry entry) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("at", entry.at().toString());
        one.put("who", entry.by().who());
        one.put("why", entry.by().why());
        one.put("action", entry.action());
        one.put("relay", entry.relay());
        one.put("details", entry.details());
        return one;
    }
}
