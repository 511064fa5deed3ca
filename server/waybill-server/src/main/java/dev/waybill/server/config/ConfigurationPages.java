package dev.waybill.server.config;

/** The documentation of configuration files. */
public final class ConfigurationPages {
    private ConfigurationPages() {}

    /** A JSON Schema, for editors. */
    public static String schema() {
        return ConfigurationSchema.TEXT;
    }

    /** The reference page, as Markdown. */
    public static String reference() {
        return ReferencePage.text();
    }
}
