package dev.waybill.spring.test;

import dev.waybill.Event;
import java.util.ArrayList;
import java.util.Collections;
import java.util.IdentityHashMap;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import org.assertj.core.api.AssertProvider;

/**
 * The events that a test has appended, in order: those of committed transactions, and those of transactions that are still open,
 * such as the one that Spring's tests roll back. Each test begins without events. Safe for use by many threads.
 */
public final class AppendedEvents implements AssertProvider<AppendedEventsAssert> {
    private final List<Appended> events = new CopyOnWriteArrayList<>();

    /**
     * An appended event.
     *
     * @param store the name of the store
     */
    public record Appended(String store, Event event) {}

    void add(List<Appended> appended) {
        events.addAll(appended);
    }

    /** By identity, because an event may have been appended twice: the transaction was rolled back. */
    void remove(List<Appended> rolledBack) {
        Set<Appended> gone = Collections.newSetFromMap(new IdentityHashMap<>());
        gone.addAll(rolledBack);
        events.removeIf(gone::contains);
    }

    /** All events, of all stores. */
    public List<Event> all() {
        return events.stream().map(Appended::event).toList();
    }

    /** The events of one store. */
    public List<Event> in(String store) {
        List<Event> found = new ArrayList<>();
        for (Appended appended : events) {
            if (appended.store().equals(store)) {
                found.add(appended.event());
            }
        }
        return found;
    }

    public void clear() {
        events.clear();
    }

    /** For AssertJ's own {@code assertThat(appended)}. */
    @Override
    public AppendedEventsAssert assertThat() {
        return new AppendedEventsAssert(all());
    }

    @Override
    public String toString() {
        return events.stream().map(Appended::event).toList().toString();
    }
}
