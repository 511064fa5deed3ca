package dev.waybill.server.cli;

import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/** Gives a command its terminal, its clock and the secrets to hide. */
@Command // so that picocli takes it as a mixin: it has no options of its own
class Console {
    @Spec(Spec.Target.MIXEE)
    @SuppressWarnings("NullAway.Init") // picocli sets it before it runs the command
    private CommandSpec spec;

    final CommandSpec spec() {
        return spec;
    }

    final CommandContext context() {
        return WaybillCommand.contextOf(spec);
    }

    /** For the answer. */
    final Printer out() {
        return Printer.out(spec);
    }

    /** For remarks and questions, which programs that read the answer must not see. */
    final Printer err() {
        return Printer.err(spec);
    }
}
