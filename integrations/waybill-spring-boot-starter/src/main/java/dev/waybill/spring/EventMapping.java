package dev.waybill.spring;

import dev.waybill.Event;

/**
 * Says how objects of a class are appended, for classes that should not have an annotation. Declare it as a bean; two beans for
 * one class are refused at the start.
 *
 * <pre>{@code
 * @Bean
 * EventMapping<OrderPlaced> orderPlaced() {
 *     return EventMapping.of(OrderPlaced.class, (placed, json) ->
 *             Event.of("order.placed.v1").aggregate("Order", placed.number()).payload(json.payload(placed)));
 * }
 * }</pre>
 *
 * @param <T> the class; subclasses need mappings of their own
 */
public interface EventMapping<T> {
    Class<T> type();

    /**
     * @param json writes payloads with the application's own Jackson mapper
     */
    Event map(T domainEvent, PayloadWriter json);

    /** A mapping by a function. */
    static <T> EventMapping<T> of(Class<T> type, Mapper<T> mapper) {
        return new EventMapping<>() {
            @Override
            public Class<T> type() {
                return type;
            }

            @Override
            public Event map(T domainEvent, PayloadWriter json) {
                return mapper.map(domainEvent, json);
            }
        };
    }

    /** Makes an event of a domain object. */
    @FunctionalInterface
    interface Mapper<T> {
        Event map(T domainEvent, PayloadWriter json);
    }
}
