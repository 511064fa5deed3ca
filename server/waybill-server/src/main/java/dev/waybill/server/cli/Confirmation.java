package dev.waybill.server.cli;

import java.util.Locale;
import java.util.Optional;
import java.util.function.Supplier;
import picocli.CommandLine.Option;

/** Shows what a change would do and asks before it is made. */
final class Confirmation extends Operator {
    @Option(
            names = {"-y", "--yes"},
            description = "do not ask for confirmation")
    private boolean given;

    /** @throws CommandEndedException if the operator does not confirm */
    void require(String preview, Output output) {
        if (given) {
            return;
        }
        output.aside(preview);
        Optional<Supplier<String>> person = output.context().person();
        if (person.isEmpty()) {
            throw new CommandEndedException(
                    ExitCode.DECLINED,
                    "The change was not confirmed, because there is no terminal: check what would happen, then add --yes.");
        }
        output.aside("Continue? [y/N]");
        String answer = person.get().get().strip().toLowerCase(Locale.ROOT);
        if (!answer.equals("y") && !answer.equals("yes")) {
            throw new CommandEndedException(ExitCode.DECLINED, "Nothing was changed.");
        }
    }
}
