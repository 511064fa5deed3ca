package dev.waybill.server.cli;

/** What a command ends with. Numbers are stable: scripts are written against them. */
enum ExitCode {
    OK(0, "it is done, or shown"),
    FAILED(1, "it failed: a server is away, or refuses; the message says which and what to do"),
    USAGE(2, "the command line or the configuration is wrong; nothing was done"),
    NOT_FOUND(3, "what was named is not there: no such event, relay, dead letter or replay; nothing was changed"),
    DECLINED(4, "the question was answered with no, or there was nobody to ask and no --yes; nothing was changed"),
    WARNINGS(5, "doctor found something that will bite"),
    PROBLEMS(6, "doctor found something that holds events up, or breaks a promise");

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
