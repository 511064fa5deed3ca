package dev.waybill.server.cli;

/** A command cannot go on, for a reason that has an exit code of its own. */
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

    static CommandEndedException usage(String message) {
        return new CommandEndedException(ExitCode.USAGE, message);
    }

    ExitCode code() {
        return code;
    }
}
