package dev.waybill.inbox;

import dev.waybill.Inbox;
import dev.waybill.Incoming.EntityVersion;
import dev.waybill.Transactions;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Source, handlers and dead letters of a consumer. Immutable: every setter returns a copy. {@link EventConsumer#named} creates
 * one.
 *
 * @param <T> the transaction
 */
public final class ConsumerPlan<T> {
    final String name;
    final Inbox<T> inbox;
    final Transactions<T> transactions;
    final How<T> how;

    /** A handler, and whether all its effects are in the transaction. */
    record Registration<T>(EventHandler<T> handler, boolean batches) {}

    record Reading(@Nullable MessageSource source, @Nullable MessageReader reader) {}

    /** @param topic returns the dead-letter topic of a topic */
    record DeadLetters(@Nullable Destination destination, UnaryOperator<String> topic) {}

    record How<T>(
            Reading reading,
            Map<String, Registration<T>> handlers,
            DeadLetters deadLetters,
            Function<ReceivedEvent, Optional<EntityVersion>> version,
            Predicate<Throwable> meansUnavailable,
            ConsumerOptions options,
            List<ConsumerListener> listeners) {

        private static <T> How<T> defaults() {
            return new How<>(
                    new Reading(null, null),
                    Map.of(),
                    new DeadLetters(null, topic -> topic + ".dlt"),
                    event -> Optional.empty(),
                    thrown -> false,
                    ConsumerOptions.defaults(),
                    List.of());
        }

        private How<T> reading(Reading other) {
            return new How<>(other, handlers, deadLetters, version, meansUnavailable, options, listeners);
        }

        private How<T> handlers(Map<String, Registration<T>> other) {
            return new How<>(reading, other, deadLetters, version, meansUnavailable, options, listeners);
        }

        private How<T> deadLetters(DeadLetters other) {
            return new How<>(reading, handlers, other, version, meansUnavailable, options, listeners);
        }

        private How<T> version(Function<ReceivedEvent, Optional<EntityVersion>> other) {
            return new How<>(reading, handlers, deadLetters, other, meansUnavailable, options, listeners);
        }

        private How<T> meansUnavailable(Predicate<Throwable> other) {
            return new How<>(reading, handlers, deadLetters, version, other, options, listeners);
        }

        private How<T> options(ConsumerOptions other) {
            return new How<>(reading, handlers, deadLetters, version, meansUnavailable, other, listeners);
        }

        private How<T> listeners(List<ConsumerListener> other) {
            return new How<>(reading, handlers, deadLetters, version, meansUnavailable, options, other);
        }
    }

    ConsumerPlan(String name, Inbox<T> inbox, Transactions<T> transactions) {
        this(name, inbox, transactions, How.defaults());
        if (name.isBlank()) {
            throw new IllegalArgumentException("The consumer's name is blank: give it a name, which its inbox needs.");
        }
    }

    private ConsumerPlan(String name, Inbox<T> inbox, Transactions<T> transactions, How<T> how) {
        this.name = name;
        this.inbox = Objects.requireNonNull(inbox, "inbox");
        this.transactions = Objects.requireNonNull(transactions, "transactions");
        this.how = how;
    }

    /** The same in every process of this consumer, and different from all other consumers. */
    public String name() {
        return name;
    }

    public ConsumerPlan<T> from(MessageSource source, MessageReader reader) {
        return with(how.reading(new Reading(source, reader)));
    }

    /** Handles events of this type one by one, each in its own transaction. Types without a handler are skipped. */
    public ConsumerPlan<T> on(String type, EventHandler<T> handler) {
        return register(type, new Registration<>(handler, false));
    }

    /**
     * Like {@link #on}, but many events may share a transaction, and after a failure they are handled again one by one. Only
     * for handlers whose effects are all in that transaction: a rollback does not undo a sent mail.
     */
    public ConsumerPlan<T> inBatches(String type, EventHandler<T> handler) {
        return register(type, new Registration<>(handler, true));
    }

    private ConsumerPlan<T> register(String type, Registration<T> registration) {
        Map<String, Registration<T>> all = new HashMap<>(how.handlers);
        if (all.putIfAbsent(type, registration) != null) {
            throw new IllegalArgumentException("Consumer " + name + " has two handlers for " + type + ": remove one.");
        }
        return with(how.handlers(Map.copyOf(all)));
    }

    /**
     * @param destination used by this consumer alone; stays the caller's to close
     */
    public ConsumerPlan<T> deadLettersTo(Destination destination) {
        return with(how.deadLetters(new DeadLetters(destination, how.deadLetters.topic)));
    }

    /** Returns the dead-letter topic of a topic; default: the topic with {@code .dlt} appended. */
    public ConsumerPlan<T> deadLetterTopic(UnaryOperator<String> naming) {
        return with(how.deadLetters(new DeadLetters(how.deadLetters.destination, naming)));
    }

    /** Returns the entity and version of an event, if only newer versions of an entity are to be applied. */
    public ConsumerPlan<T> onlyNewer(Function<ReceivedEvent, Optional<EntityVersion>> versionOf) {
        return with(how.version(versionOf));
    }

    /**
     * Defines further exceptions of handlers, or of their causes, that mean that a dependency is unavailable: the handler is
     * called again until it is available, without limit. A handler can also throw {@link DependencyUnavailableException}.
     */
    public ConsumerPlan<T> unavailableWhen(Predicate<Throwable> thrown) {
        return with(how.meansUnavailable(thrown));
    }

    public ConsumerPlan<T> options(ConsumerOptions options) {
        return with(how.options(options));
    }

    /** Adds a listener; those that were added before are called first. */
    public ConsumerPlan<T> listener(ConsumerListener listener) {
        List<ConsumerListener> all =
                Stream.concat(how.listeners.stream(), Stream.of(listener)).toList();
        return with(how.listeners(all));
    }

    /**
     * Starts the consumer on its own threads.
     *
     * @throws IllegalArgumentException if it has no source, no handler or no destination for dead letters, or if {@link
     *     ConsumerOptions#keepHandled()} does not fit its inbox
     * @throws IllegalStateException if the destination for dead letters is in use by another consumer, a relay or a replay
     */
    public EventConsumer start() {
        return EventConsumer.start(parts(), Waits.DEFAULT);
    }

    /** @throws IllegalArgumentException if something is missing or wrong */
    ConsumerParts<T> parts() {
        return new ConsumerParts<>(this);
    }

    private ConsumerPlan<T> with(How<T> other) {
        return new ConsumerPlan<>(name, inbox, transactions, other);
    }
}
