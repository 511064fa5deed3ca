package dev.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;

/**
 * Says how objects of this class are appended. Such an object is appended by {@link SpringOutbox#append(Object...)}, and when it is
 * published as an application event or by Spring Data. One part has the annotation {@link AggregateId}.
 *
 * <pre>{@code
 * @AppendedAs(type = "order.placed.v1", aggregate = "Order")
 * record OrderPlaced(@AggregateId UUID id, BigDecimal total) {}
 * }</pre>
 *
 * The payload is the whole object, as the application's own Jackson mapper writes it.
 */
@Documented
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
public @interface AppendedAs {
    /** The event's type. */
    String type();

    /** The aggregate's type. */
    String aggregate();

    /** Version of the type's schema. */
    int version() default 1;

    /** The topic, for relays that route by the stored topic; default: none. */
    String topic() default "";

    /**
     * The store in which it is stored when it is published as an application event. Default: the only store, or {@code main}.
     */
    String store() default "";
}
