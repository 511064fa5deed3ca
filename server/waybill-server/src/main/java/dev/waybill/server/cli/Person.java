package dev.waybill.server.cli;

import dev.waybill.admin.Actor;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who does it, and why, for the audit. */
final class Person {
    @Option(
            names = "--as",
            paramLabel = "NAME",
            description =
                    "who does this, as a note for the audit beside the user of the database; else the user of the system")
    private @Nullable String name;

    @Option(names = "--reason", paramLabel = "TEXT", description = "why, for the audit")
    private @Nullable String reason;

    Actor actor() {
        return new Actor(
                name == null ? System.getProperty("user.name", "unknown") : name, reason == null ? "" : reason);
    }

    /** For what cannot be undone. */
    Actor actorWithReason(String what) {
        Actor actor = actor();
        if (actor.why().isBlank()) {
            throw CommandEndedException.usage(what + " cannot be undone: say why with --reason, for the audit.");
        }
        return actor;
    }
}
