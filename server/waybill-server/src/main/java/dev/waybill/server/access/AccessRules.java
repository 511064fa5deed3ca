package dev.waybill.server.access;

import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Who may use the admin API and the console, as configured.
 *
 * @param console whether they are served at all
 * @param users by name
 * @param tokens of machines, by name
 * @param hosts names under which the process may be addressed, in lower case, besides localhost and addresses in numbers
 * @param readOnly whether this process refuses all changes
 */
public record AccessRules(
        boolean console,
        Map<String, User> users,
        Map<String, Token> tokens,
        Optional<TrustedProxy> proxy,
        Set<String> hosts,
        boolean readOnly) {
    public static final AccessRules LOCAL =
            new AccessRules(true, Map.of(), Map.of(), Optional.empty(), Set.of(), false);

    public record User(PasswordHash password, Role role) {}

    public record Token(TokenHash hash, Role role) {}

    /**
     * A proxy that authenticates people, and names them in a header.
     *
     * @param addresses from which the headers are believed
     * @param userHeader in lower case
     * @param roleHeader in lower case
     * @param role of people for whom the proxy gives no role
     */
    public record TrustedProxy(
            List<AddressRange> addresses, String userHeader, Optional<String> roleHeader, Role role) {}

    /** Whether callers must authenticate. */
    public boolean authenticates() {
        return !users.isEmpty() || !tokens.isEmpty() || proxy.isPresent();
    }

    /** How a person signs in, in a word. */
    public String authentication() {
        if (!users.isEmpty()) {
            return "password";
        }
        if (proxy.isPresent()) {
            return "proxy";
        }
        return tokens.isEmpty() ? "none" : "token";
    }
}
