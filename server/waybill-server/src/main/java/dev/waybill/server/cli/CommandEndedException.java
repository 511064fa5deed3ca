package dev.waybill.server.cli;

import dev.waybill.RelayName;

/** Ends a command with a message and an exit code. */
final class CommandEndedException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final ExitCode code;

    CommandEndedException(ExitCode code, String message) {
        super(message);
        this.code = code;
    }

    static CommandEndedException notFound(String message) {
        return new CommandEndedException(ExitCode.NOT_FOUND, message);
    }

    static CommandEndedException noSuchRelay(RelayName relay) {
        return notFound("There is no relay " + relay + " in this store; `waybill status` lists the relays.");
    }

    static CommandEndedException usage(String message) {
        return new CommandEndedException(ExitCode.USAGE, message);
    }

    ExitCode code() {
        return code;
    }
}
