package dev.waybill.demo;

import java.io.IOException;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.ExitCode;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code waybill demo break}. */
@Command(
        name = "break",
        mixinStandardHelpOptions = true,
        sortOptions = false,
        description = "Injects a failure into a running demo and describes what its console shows.")
final class BreakCommand implements Callable<Integer> {
    private static final int LONGEST_SECONDS = 600;

    @Parameters(
            paramLabel = "WHAT",
            description =
                    "kafka: stop Kafka for a while; poison: append an event that Kafka refuses; lock: hold a lock that"
                            + " the relay needs")
    private @Nullable Breakage what;

    @Option(
            names = "--of",
            paramLabel = "PID",
            required = true,
            description = "process id of the demo, which prints it")
    private long pid;

    @Option(
            names = "--for",
            paramLabel = "SECONDS",
            description = "duration in seconds, 1 to " + LONGEST_SECONDS + "; default: ${DEFAULT-VALUE}")
    private int seconds = 30;

    @Override
    public Integer call() {
        if (what == null || seconds < 1 || seconds > LONGEST_SECONDS) {
            System.err.println("waybill demo break: --for takes 1 to " + LONGEST_SECONDS + " seconds.");
            return ExitCode.USAGE;
        }
        try {
            ControlSocket.Reply reply = ControlSocket.ask(pid, what, seconds);
            (reply.done() ? System.out : System.err).println(reply.text());
            if (reply.done()) {
                System.out.println(what.effect());
            }
            return reply.done() ? ExitCode.OK : ExitCode.SOFTWARE;
        } catch (IOException e) {
            System.err.println("waybill demo break: no demo with the process id " + pid
                    + " answers. Start ./waybill demo, and use the number that it prints. (" + e.getMessage() + ")");
            return ExitCode.SOFTWARE;
        }
    }
}
