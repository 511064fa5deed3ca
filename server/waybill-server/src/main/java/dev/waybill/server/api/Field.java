package dev.waybill.server.api;

/**
 * A field of a body or a parameter of an address.
 *
 * @param type as in JSON Schema
 */
record Field(String name, String type, boolean required, String description) {
    static Field text(String name, String description) {
        return new Field(name, "string", false, description);
    }

    static Field whole(String name, String description) {
        return new Field(name, "integer", false, description);
    }

    static Field flag(String name, String description) {
        return new Field(name, "boolean", false, description);
    }

    static Field list(String name, String description) {
        return new Field(name, "array", false, description);
    }

    static Field object(String name, String description) {
        return new Field(name, "object", false, description);
    }

    Field must() {
        return new Field(name, type, true, description);
    }
}
