package dev.waybill.server.config;

import tools.jackson.databind.JsonNode;

/** The keys of a section as a Markdown table, keys of inner sections with their path. */
final class KeyTables {
    private KeyTables() {}

    static String table(JsonNode section) {
        StringBuilder rows = new StringBuilder("| key | what | default | |\n|---|---|---|---|\n");
        append(rows, "", section);
        return rows.toString();
    }

    private static void append(StringBuilder rows, String path, JsonNode section) {
        for (String name : ConfigurationSchema.keys(section)) {
            JsonNode key = ConfigurationSchema.property(section, name);
            if (key.has("const")) {
                continue; // the type, which is in the heading
            }
            if (!key.has("properties")) {
                rows.append(row(path + name, key, ConfigurationSchema.isRequired(section, name)));
            }
            append(rows, path + name + ".", key);
            append(rows, path + name + ".", ConfigurationSchema.resolve(key.path("else")));
            append(rows, path + name + "[].", ConfigurationSchema.resolve(key.path("items")));
            // Sections with a definition of their own have a table of their own.
            append(rows, path + name + ".NAME.", key.path("additionalProperties"));
        }
    }

    private static String row(String path, JsonNode key, boolean required) {
        JsonNode other = ConfigurationSchema.resolve(key.path("else"));
        String words = other.has("properties")
                ? ConfigurationSchema.words(ConfigurationSchema.resolve(key.get("then"))) + ", or a section"
                : ConfigurationSchema.words(key);
        String standard = required ? "required" : "";
        if (key.has("default")) {
            String text = key.get("default").asString();
            standard = text.isEmpty() ? "empty" : "`" + text + "`";
        }
        return "| `" + path + "` | " + words + " | " + standard + " | "
                + key.path("description").asString("") + " |\n";
    }
}
