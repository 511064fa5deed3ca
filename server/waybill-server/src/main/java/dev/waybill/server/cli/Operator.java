package dev.waybill.server.cli;

import dev.waybill.admin.Actor;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Who makes a change and why, for the audit. */
class Operator {
    @Option(
            names = "--as",
            paramLabel = "NAME",
            description = "your name for the audit, in addition to the database user; default: the operating system"
                    + " user")
    private @Nullable String name;

    @Option(names = "--reason", paramLabel = "TEXT", description = "reason, recorded in the audit")
    private @Nullable String reason;

    final Actor actor() {
        return new Actor(
                name == null ? System.getProperty("user.name", "unknown") : name, reason == null ? "" : reason);
    }

    /**
     * For changes that cannot be undone.
     *
     * @throws CommandEndedException if no reason was given
     */
    final Actor actorWithReason(String what) {
        Actor actor = actor();
        if (actor.why().isBlank()) {
            throw CommandEndedException.usage(what + " cannot be undone: give a reason for the audit with --reason.");
        }
        return actor;
    }
}
