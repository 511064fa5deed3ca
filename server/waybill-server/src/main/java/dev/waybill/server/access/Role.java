package dev.waybill.server.access;

import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What somebody may do. Each role may do what the ones before it may. */
public enum Role {
    /** Somebody who is not signed in. */
    ANYONE,
    /** Sees states, numbers and errors, but no payloads, keys and aggregate ids. */
    VIEWER,
    /** Changes things, and may reveal payloads. */
    OPERATOR;

    public boolean includes(Role other) {
        return compareTo(other) >= 0;
    }

    public String word() {
        return name().toLowerCase(Locale.ROOT);
    }

    /** A role that somebody can be given; empty if there is none of that name. */
    static Optional<Role> of(String word) {
        return Arrays.stream(values())
                .filter(role -> role != ANYONE && role.word().equals(word.strip()))
                .findFirst();
    }
}
