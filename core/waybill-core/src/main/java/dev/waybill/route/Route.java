package dev.waybill.route;

import dev.waybill.spi.StoredEvent;
import java.util.Map;
import java.util.Optional;

/**
 * Where events go. The key of the message is the key stored with the event, or else the aggregate's id, so that what
 * belongs to one entity stays in order. Whether a topic's name is allowed is for the destination to say. Safe for use by
 * many threads.
 */
public interface Route {

    /**
     * @throws RouteException when this event has nowhere to go; the message says why and what to do
     */
    Address addressOf(StoredEvent event);

    /**
     * The topic of all events of a type and an aggregate type, for checks beforehand; nothing when there is none, when it depends
     * on more than that, or when the route cannot tell.
     */
    default Optional<String> topicOf(String type, String aggregateType) {
        return Optional.empty();
    }

    /** To the topic named like the event's type. */
    static Route byType() {
        return new TopicRoute("by type", TopicName.part(EventPart.TYPE));
    }

    /** To the topic that the application stored with the event; an event without one has nowhere to go. */
    static Route storedTopic() {
        return new TopicRoute("stored topic", TopicName.part(EventPart.STORED_TOPIC));
    }

    /**
     * To the topic that stands beside the event's aggregate type; an event of another aggregate type has nowhere to go.
     *
     * @param topics by aggregate type, such as {@code RESTAURANT} → {@code notification.restaurant}
     */
    static Route byAggregateType(Map<String, String> topics) {
        return new AggregateTypeRoute(topics);
    }

    /** Everything to one topic. */
    static Route fixed(String topic) {
        if (topic.isBlank()) {
            throw new IllegalArgumentException(
                    "The route's fixed topic is blank: give the name of a topic, such as \"orders\".");
        }
        return new FixedRoute(topic);
    }

    /**
     * To a topic whose name is made of the event's parts.
     *
     * @param template a name with at least one of <code>{type}</code>, <code>{aggregateType}</code> and <code>
     *     {aggregateId}</code> in it, such as <code>shop.{aggregateType}.events</code>
     */
    static Route template(String template) {
        return new TopicRoute("template " + template, TemplateText.parse(template));
    }
}
