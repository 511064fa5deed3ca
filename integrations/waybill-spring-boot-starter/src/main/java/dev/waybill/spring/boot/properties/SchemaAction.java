package dev.waybill.spring.boot.properties;

/** What happens to a store's tables or indexes when the application starts. */
public enum SchemaAction {
    /** The application does not start if something is missing. */
    VALIDATE,
    /** What is missing is created. */
    CREATE,
    /** Nothing is looked at. */
    NONE
}
