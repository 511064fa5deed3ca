package dev.waybill.spring;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.aot.hint.annotation.Reflective;

/**
 * Marks a method of a bean that handles events of one type, each once: the event's id is recorded in the inbox in the method's own
 * transaction, so that what the method writes over the same data source, with JPA or JDBC, and the record are committed together
 * or not at all. A redelivered event does not reach the method again.
 *
 * <pre>{@code
 * @HandlesOnce(consumer = "stock", type = "order.placed.v1")
 * void on(OrderPlaced event) { … }
 * }</pre>
 *
 * <p>The method returns nothing. It has a parameter for the payload, which the application's JSON mapper reads, or which is the text
 * itself ({@code String}) or the bytes ({@code byte[]}); and, or instead, one of type
 * {@link dev.waybill.format.ReceivedEvent} for id, headers and message. A method that throws is called again as {@code
 * waybill.consumers.*.retry} says; then the message goes to the dead-letter topic.
 */
@Documented
@Reflective(KeepHandlersCallable.class)
@Target(ElementType.METHOD)
@Retention(RetentionPolicy.RUNTIME)
public @interface HandlesOnce {
    /** The consumer, as in {@code waybill.consumers}. It is the same in every process of this consumer. */
    String consumer();

    /** The type of events. Default: that of the payload's class, if it is marked with {@code AppendedAs}. */
    String type() default "";
}
