package dev.waybill.server.cli;

import dev.waybill.spi.StoreException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

@Command(
        name = "status",
        mixinStandardHelpOptions = true,
        description = {
            "How each relay stands: who runs it, how far behind it is, what is parked or dead.",
            "The backlog is counted up to 10,000 and estimated beyond, with a ~. PER S is what was published in the last"
                    + " minute. A store that is away is told on the standard error, and does not hide the others."
        })
final class StatusCommand implements Callable<Integer> {
    @Mixin
    private StoreChoice choice = new StoreChoice();

    @Mixin
    private Output output = new Output();

    @Option(names = "--watch", description = "show it again and again, until Ctrl-C")
    private boolean watch;

    @Option(
            names = "--every",
            paramLabel = "TIME",
            defaultValue = "2s",
            description = "with --watch: how often; ${DEFAULT-VALUE} unless said")
    private String every = "2s";

    @Override
    public Integer call() {
        Duration pause = Times.duration(every);
        try (Stores stores = choice.open(output.surroundings())) {
            ExitCode code = show(stores);
            while (watch && output.surroundings().pause().test(pause)) {
                code = show(stores);
            }
            return code.number();
        }
    }

    private ExitCode show(Stores stores) {
        StatusReport report = new StatusReport(stores.several());
        StringBuilder away = new StringBuilder();
        for (Stores.Named store : stores.all()) {
            try {
                report.add(store);
            } catch (StoreException e) {
                away.append("waybill: store ").append(store.name()).append(": ").append(e.getMessage());
                away.append(System.lineSeparator());
            }
        }
        if (output.isJson()) {
            output.json(report.json());
        } else if (away.length() == 0 || stores.several()) {
            if (watch && output.terminal().present()) {
                output.clear();
            }
            output.line(report.text(output.terminal()));
        }
        if (away.length() > 0) {
            output.aside(away.toString().stripTrailing());
        }
        return away.length() == 0 ? ExitCode.OK : ExitCode.FAILED;
    }
}
