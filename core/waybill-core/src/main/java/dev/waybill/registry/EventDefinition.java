package dev.waybill.registry;

/**
 * One type of event.
 *
 * @param topic topic of all events of the type
 * @param aggregateType aggregate type of all events of the type
 * @param payload checks their payloads
 */
public record EventDefinition(String type, String topic, String aggregateType, PayloadCheck payload) {
    public EventDefinition {
        required("type", type, type);
        required("topic", topic, type);
        required("aggregate type", aggregateType, type);
    }

    private static void required(String what, String text, String type) {
        if (text.isBlank()) {
            throw new IllegalArgumentException(
                    "The definition of event type \"" + type + "\" has a blank " + what + ": set it.");
        }
    }
}
