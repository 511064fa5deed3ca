package dev.waybill.connect;

import java.util.Objects;

/** The version of the connector, from the manifest of its jar. */
final class PluginVersion {
    private PluginVersion() {}

    static String get() {
        return Objects.requireNonNullElse(PluginVersion.class.getPackage().getImplementationVersion(), "unknown");
    }
}
