package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import java.util.Map;
import java.util.Optional;

/**
 * Determines topic and key of a message. The key is the one stored with the event, or the aggregate's id if there is none, so
 * that the events of one entity stay in order. The destination checks whether the topic name is valid. Safe for use by many
 * threads.
 */
public interface Route {

    /**
     * @throws RouteException if the event has no topic; the message says why and what to do
     */
    Address addressOf(StoredEvent event);

    /**
     * The topic of all events of a type and an aggregate type, for checks in advance; empty if there is none, if it depends on
     * other properties, or if it is unknown.
     */
    default Optional<String> topicOf(String type, String aggregateType) {
        return Optional.empty();
    }

    /** The topic is the event's type. */
    static Route byType() {
        return new TopicRoute("by type", TopicName.part(EventPart.TYPE));
    }

    /** The topic is the one stored with the event. An event without one is refused. */
    static Route storedTopic() {
        return new TopicRoute("stored topic", TopicName.part(EventPart.STORED_TOPIC));
    }

    /**
     * The topic is chosen by the event's aggregate type. An event of an unlisted aggregate type is refused.
     *
     * @param topics by aggregate type, such as {@code RESTAURANT} → {@code notification.restaurant}
     */
    static Route byAggregateType(Map<String, String> topics) {
        return new AggregateTypeRoute(topics);
    }

    /**
     * The topic is the event's aggregate type, so all events of an aggregate are in one topic, in order across their types. An
     * event without an aggregate type is refused.
     */
    static Route byAggregateType() {
        return new TopicRoute("by aggregate type", TopicName.part(EventPart.AGGREGATE_TYPE));
    }

    /** All events go to one topic. */
    static Route fixed(String topic) {
        if (topic.isBlank()) {
            throw new IllegalArgumentException(
                    "The route's fixed topic is blank: give the name of a topic, such as \"orders\".");
        }
        return new FixedRoute(topic);
    }

    /**
     * The topic name is a template that is filled with parts of the event.
     *
     * @param template a name with at least one of <code>{type}</code>, <code>{aggregateType}</code> and <code>
     *     {aggregateId}</code> in it, such as <code>shop.{aggregateType}.events</code>
     */
    static Route template(String template) {
        return new TopicRoute("template " + template, TemplateText.parse(template));
    }
}
