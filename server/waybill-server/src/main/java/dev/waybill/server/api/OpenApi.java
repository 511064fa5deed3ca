package dev.waybill.server.api;

import dev.waybill.server.access.Role;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The description of the API in OpenAPI's form, made from the route table. */
final class OpenApi {
    private static final Pattern VARIABLE = Pattern.compile("\\{(\\w+)}");
    private static final String DESCRIPTION = "description";
    private static final String SCHEMA = "schema";
    private static final String OBJECT = "object";

    private OpenApi() {}

    static Map<String, Object> of(RouteTable table) {
        Map<String, Object> all = new LinkedHashMap<>();
        all.put("openapi", "3.1.0");
        all.put(
                "info",
                ordered(
                        "title",
                        "Waybill admin API",
                        "version",
                        "1",
                        DESCRIPTION,
                        "Answers are described in docs/admin-api.md."));
        Map<String, Object> paths = new LinkedHashMap<>();
        for (Route route : table.routes()) {
            methods(paths, route.path()).put(route.method().toLowerCase(java.util.Locale.ROOT), operation(route));
        }
        all.put("paths", paths);
        all.put(
                "components",
                ordered(
                        "securitySchemes",
                        ordered(
                                "session", ordered("type", "apiKey", "in", "cookie", "name", "waybill-session"),
                                "token", ordered("type", "http", "scheme", "bearer"))));
        return all;
    }

    @SuppressWarnings("unchecked") // only maps are put there
    private static Map<String, Object> methods(Map<String, Object> paths, String path) {
        return (Map<String, Object>) paths.computeIfAbsent(path, name -> new LinkedHashMap<String, Object>());
    }

    private static Map<String, Object> operation(Route route) {
        Map<String, Object> one = new LinkedHashMap<>();
        one.put("summary", route.summary());
        one.put("x-role", route.role().word());
        one.put(
                "security",
                route.role() == Role.ANYONE
                        ? List.of()
                        : List.of(Map.of("session", List.of()), Map.of("token", List.of())));
        List<Object> parameters = new ArrayList<>();
        Matcher variable = VARIABLE.matcher(route.path());
        while (variable.find()) {
            parameters.add(ordered(
                    "name", variable.group(1), "in", "path", "required", true, SCHEMA, ordered("type", "string")));
        }
        route.query()
                .forEach(field -> parameters.add(ordered(
                        "name",
                        field.name(),
                        "in",
                        "query",
                        "required",
                        field.required(),
                        DESCRIPTION,
                        field.description(),
                        SCHEMA,
                        ordered("type", field.type()))));
        if (!parameters.isEmpty()) {
            one.put("parameters", parameters);
        }
        if (route.isPost()) {
            one.put(
                    "requestBody",
                    ordered("required", true, "content", ordered("application/json", ordered(SCHEMA, body(route)))));
        }
        one.put("responses", responses(route));
        return one;
    }

    private static Map<String, Object> body(Route route) {
        Map<String, Object> properties = new LinkedHashMap<>();
        route.body()
                .forEach(field ->
                        properties.put(field.name(), ordered("type", field.type(), DESCRIPTION, field.description())));
        return ordered(
                "type",
                OBJECT,
                "additionalProperties",
                false,
                "required",
                route.body().stream().filter(Field::required).map(Field::name).toList(),
                "properties",
                properties);
    }

    private static Map<String, Object> responses(Route route) {
        String type = route.path().equals("/api/live") ? "text/event-stream" : "application/json";
        Map<String, Object> all = new LinkedHashMap<>();
        all.put(
                "200",
                ordered(
                        DESCRIPTION,
                        route.answer(),
                        "content",
                        ordered(type, ordered(SCHEMA, ordered("type", type.endsWith("json") ? OBJECT : "string")))));
        if (route.role() != Role.ANYONE) {
            all.put("401", ordered(DESCRIPTION, "not signed in"));
        }
        if (route.role() == Role.OPERATOR) {
            all.put("403", ordered(DESCRIPTION, "not allowed, or the server is read-only"));
        }
        all.put("default", ordered(DESCRIPTION, "an error: error, code"));
        return all;
    }

    private static Map<String, Object> ordered(Object... namesAndValues) {
        Map<String, Object> map = new LinkedHashMap<>();
        for (int i = 0; i < namesAndValues.length; i += 2) {
            map.put((String) namesAndValues[i], namesAndValues[i + 1]);
        }
        return map;
    }
}
