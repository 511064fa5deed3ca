package dev.waybill.server.api;

import dev.waybill.server.access.Role;
import dev.waybill.server.http.Outcome;
import dev.waybill.server.http.Request;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * A route of the API.
 *
 * @param path with variable parts in braces
 * @param role the least role that may use it. Routes for operators do not exist on a read-only server
 * @param summary what it does
 * @param query parameters of the address
 * @param body fields of the body, of a POST
 * @param answer what it answers
 * @param isLarge whether it reads up to 10,000 parked events
 */
record Route(
        String method,
        String path,
        Role role,
        String summary,
        List<Field> query,
        List<Field> body,
        String answer,
        boolean isLarge,
        Action action) {

    /** Makes the outcome. */
    interface Action {
        Outcome run(Call call);
    }

    static Builder get(String path, Role role, String summary) {
        return new Builder("GET", path, role, summary);
    }

    static Builder post(String path, Role role, String summary) {
        return new Builder("POST", path, role, summary);
    }

    /** A route that is being described. */
    static final class Builder {
        private final String method;
        private final String path;
        private final Role role;
        private final String summary;
        private final List<Field> query = new ArrayList<>();
        private final List<Field> body = new ArrayList<>();
        private boolean large;

        private Builder(String method, String path, Role role, String summary) {
            this.method = method;
            this.path = path;
            this.role = role;
            this.summary = summary;
        }

        Builder query(Field... fields) {
            query.addAll(List.of(fields));
            return this;
        }

        Builder body(Field... fields) {
            body.addAll(List.of(fields));
            return this;
        }

        /** It reads up to 10,000 parked events. */
        Builder large() {
            large = true;
            return this;
        }

        Route does(String answer, Action action) {
            return new Route(method, path, role, summary, List.copyOf(query), List.copyOf(body), answer, large, action);
        }
    }

    boolean isPost() {
        return method.equals("POST");
    }

    /** Values of the variable parts, if the path is of this route. */
    Optional<Map<String, String>> match(String given) {
        String[] wanted = path.split("/", -1);
        String[] parts = given.split("/", -1);
        if (wanted.length != parts.length) {
            return Optional.empty();
        }
        Map<String, String> values = new LinkedHashMap<>();
        for (int i = 0; i < wanted.length; i++) {
            if (wanted[i].startsWith("{")) {
                // A plus is a plus in a path.
                String value = Request.decoded(parts[i].replace("+", "%2B"));
                if (value.isEmpty() || value.indexOf('\0') >= 0) {
                    return Optional.empty();
                }
                values.put(wanted[i].substring(1, wanted[i].length() - 1), value);
            } else if (!wanted[i].equals(parts[i])) {
                return Optional.empty();
            }
        }
        return Optional.of(values);
    }
}
