package dev.waybill.registry;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** Checks the payloads of one type of event. Safe for use by many threads. */
public interface PayloadCheck {

    /**
     * @param payload one JSON value within the registry's limits, not null
     * @return all problems; empty if the payload is valid
     */
    List<Violation> violations(JsonNode payload);

    /**
     * The payload must be readable as this Java type: no unknown properties, no null or missing value for a primitive, no text for
     * a number and no number for text. Further rules belong into the type's constructor.
     */
    static PayloadCheck javaType(Class<?> type) {
        return new JavaTypeCheck(type);
    }
}
