package dev.waybill.registry;

import java.util.List;
import tools.jackson.databind.JsonNode;

/** What the payload of one type of event must look like. Safe for use by many threads. */
public interface PayloadCheck {

    /**
     * @param payload one JSON value within the registry's limits, not null
     * @return everything that is wrong with it; nothing when it is right
     */
    List<Violation> violations(JsonNode payload);

    /**
     * The payload can be read as this Java type, strictly: no unknown properties, no null or nothing for a primitive, no text for
     * a number or number for a text. What else must be there the type's own constructor refuses.
     */
    static PayloadCheck javaType(Class<?> type) {
        return new JavaTypeCheck(type);
    }
}
