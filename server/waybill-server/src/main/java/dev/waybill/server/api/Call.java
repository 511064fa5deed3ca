package dev.waybill.server.api;

import dev.waybill.admin.Actor;
import dev.waybill.server.access.Caller;
import dev.waybill.server.access.Role;
import dev.waybill.server.http.Request;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * A request that is allowed.
 *
 * @param path values of the variable parts of the route
 */
record Call(Request request, Caller caller, Map<String, String> path, Input body) {
    private static final int LONGEST_REASON = 1_000;

    String part(String name) {
        return path.getOrDefault(name, "");
    }

    /** The store or destination that is asked; empty if it is none or all. */
    String server() {
        return Stream.of("store", "destination")
                .flatMap(name ->
                        Optional.ofNullable(path.get(name)).or(() -> query(name)).or(() -> body.find(name)).stream())
                .findFirst()
                .orElse("");
    }

    /** A parameter of the address; empty if it is missing or blank. */
    Optional<String> query(String name) {
        return Optional.ofNullable(request.query().get(name)).filter(text -> !text.isBlank());
    }

    Optional<Instant> time(String name) {
        return query(name).map(text -> Input.time(name, text));
    }

    int limit(int standard, int most) {
        String text = query("limit").orElse(Integer.toString(standard));
        if (!text.matches("\\d{1,6}") || Integer.parseInt(text) < 1) {
            throw Json.bad("limit must be a whole number from 1 to " + most + ".");
        }
        return Math.min(most, Integer.parseInt(text));
    }

    boolean isOperator() {
        return caller.role().includes(Role.OPERATOR);
    }

    /** Who does it and why. */
    Actor actor() {
        String reason = body.find("reason").orElse("");
        if (reason.length() > LONGEST_REASON) {
            throw Json.bad("The reason has " + reason.length() + " characters: use at most " + LONGEST_REASON + ".");
        }
        return new Actor(caller.name(), reason);
    }

    Actor actorWithReason() {
        Actor actor = actor();
        if (actor.why().isBlank()) {
            throw Json.bad("Give a reason: it is recorded in the audit.");
        }
        return actor;
    }
}
