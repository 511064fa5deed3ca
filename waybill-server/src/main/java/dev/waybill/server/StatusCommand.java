package dev.waybill.server;

import dev.waybill.admin.RelayStatus;
import dev.waybill.jdbc.PostgresJournal;
import java.io.PrintWriter;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = "How each relay of a journal stands: who runs it, how far behind it is, what is parked or dead.")
final class StatusCommand implements Callable<Integer> {
    @Spec
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    @Mixin
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private StoreOptions store;

    @Option(names = "--json", description = "as JSON, for programs")
    private boolean json;

    @Override
    public Integer call() {
        List<RelayStatus> relays =
                PostgresJournal.on(store.dataSource()).admin().relays();
        PrintWriter out = spec.commandLine().getOut();
        out.println(json ? StatusReport.json(relays) : StatusReport.table(relays));
        return 0;
    }
}
