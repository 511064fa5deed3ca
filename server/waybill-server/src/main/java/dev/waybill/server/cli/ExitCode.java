package dev.waybill.server.cli;

/** Exit codes of commands. The numbers are stable, for scripts. */
enum ExitCode {
    OK(0, "success"),
    FAILED(1, "failure: a server is unavailable or rejected the request; the message says which, and what to do"),
    USAGE(2, "the command line or the configuration is wrong; nothing was done"),
    NOT_FOUND(3, "not found: no such event, relay, dead-letter message or replay; nothing was changed"),
    DECLINED(4, "not confirmed: the answer was no, or there was no terminal and no --yes; nothing was changed"),
    WARNINGS(5, "doctor found warnings: something that will become a problem"),
    PROBLEMS(6, "doctor found problems: something that delays events or breaks a guarantee");

    private final int number;
    private final String meaning;

    ExitCode(int number, String meaning) {
        this.number = number;
        this.meaning = meaning;
    }

    int number() {
        return number;
    }

    String meaning() {
        return meaning;
    }
}
