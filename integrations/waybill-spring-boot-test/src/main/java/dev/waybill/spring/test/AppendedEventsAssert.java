package dev.waybill.spring.test;

import dev.waybill.Event;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.assertj.core.api.AbstractAssert;

/** Assertions about appended events. Each narrows the events down, and fails if none is left. */
public final class AppendedEventsAssert extends AbstractAssert<AppendedEventsAssert, List<Event>> {
    AppendedEventsAssert(List<Event> events) {
        super(events, AppendedEventsAssert.class);
    }

    /**
     * There is an event of this type.
     *
     * @param type such as {@code order.placed.v1}, or {@code order.placed} for all its versions
     */
    public AppendedEventsAssert appended(String type) {
        return with(
                "of type " + type,
                event -> event.type().equals(type) || event.type().matches(Pattern.quote(type) + "\\.v\\d+"));
    }

    /** One of them has this key: the one that the application set, otherwise the aggregate's id. */
    public AppendedEventsAssert withKey(String key) {
        return with(
                "having key " + key,
                event -> event.key().orElse(event.aggregateId()).equals(key));
    }

    public AppendedEventsAssert withAggregate(String type, String id) {
        return with(
                "of aggregate " + type + " " + id,
                event -> event.aggregateType().equals(type)
                        && event.aggregateId().equals(id));
    }

    public AppendedEventsAssert withHeader(String name, String value) {
        return with(
                "having header " + name + "=" + value,
                event -> value.equals(event.headers().get(name)));
    }

    /** One of them has this text in its payload, such as {@code "total":990}. */
    public AppendedEventsAssert withPayloadContaining(String text) {
        return with(
                "having a payload that contains " + text,
                event -> new String(event.payload().bytes(), StandardCharsets.UTF_8).contains(text));
    }

    /** As many are left. */
    public AppendedEventsAssert times(int count) {
        if (actual.size() != count) {
            failWithMessage("Expected %s events, but there are %s: %s", count, actual.size(), actual);
        }
        return this;
    }

    /** Nothing was appended. */
    public void isEmpty() {
        if (!actual.isEmpty()) {
            failWithMessage("Expected no events, but there are %s: %s", actual.size(), actual);
        }
    }

    private AppendedEventsAssert with(String what, Predicate<Event> condition) {
        List<Event> found = actual.stream().filter(condition).toList();
        if (found.isEmpty()) {
            failWithMessage(
                    "Expected an event %s, but there is none among %s: %s",
                    what,
                    actual.size(),
                    actual.stream()
                            .map(event -> event.type() + " of " + event.aggregateType() + " " + event.aggregateId())
                            .toList());
        }
        return new AppendedEventsAssert(found).as(info.description());
    }
}
