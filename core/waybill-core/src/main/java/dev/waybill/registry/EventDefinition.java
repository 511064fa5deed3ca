package dev.waybill.registry;

/**
 * One type of event.
 *
 * @param topic where all events of the type go
 * @param aggregateType what all of them are about
 * @param payload what their payload must look like
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
                    "The definition of event type \"" + type + "\" has a blank " + what + ": give it one.");
        }
    }
}
