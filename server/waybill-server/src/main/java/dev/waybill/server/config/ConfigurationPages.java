package dev.waybill.server.config;

import java.util.LinkedHashMap;
import java.util.Map;
import tools.jackson.databind.SerializationFeature;
import tools.jackson.databind.json.JsonMapper;

/** What can be said of configuration files without having one. */
public final class ConfigurationPages {
    private static final JsonMapper MAPPER =
            JsonMapper.builder().enable(SerializationFeature.INDENT_OUTPUT).build();

    private ConfigurationPages() {}

    /** A JSON Schema, for editors. */
    public static String schema() {
        Map<String, Object> schema = new LinkedHashMap<>();
        schema.put("$schema", "http://json-schema.org/draft-07/schema#");
        schema.put("title", "waybill.yaml");
        schema.put("description", "Configuration of `waybill run`.");
        schema.putAll(RootBlock.BLOCK.schema());
        return MAPPER.writeValueAsString(schema).replace("\r\n", "\n") + "\n";
    }

    /** The reference page, as Markdown. */
    public static String reference() {
        return ReferencePage.text();
    }
}
