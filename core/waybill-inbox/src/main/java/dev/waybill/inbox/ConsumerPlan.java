package dev.waybill.inbox;

import dev.waybill.Inbox;
import dev.waybill.Incoming.EntityVersion;
import dev.waybill.PurgeableInbox;
import dev.waybill.Transactions;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * Source, handlers and dead letters of a consumer.
 *
 * <pre>{@code
 * ConsumerPlan<Connection> plan = ConsumerPlan.named("inventory-service", inbox, transactions)
 *         .from(source, MessageReader.envelope())
 *         .on("order.order.placed.v1", (connection, event) -> …)
 *         .deadLettersTo(destination)
 *         .build();
 * }</pre>
 *
 * @param <T> the transaction
 */
public final class ConsumerPlan<T> {
    final String name;
    final Inbox<T> inbox;
    final Transactions<T> transactions;
    final MessageSource source;
    final MessageReader reader;
    final Destination deadLetters;
    final UnaryOperator<String> deadLetterTopic;
    final Function<ReceivedEvent, Optional<EntityVersion>> version;
    final Predicate<Throwable> meansUnavailable;
    final ConsumerOptions options;
    final GuardedListener listener;
    private final Map<String, Registration<T>> handlers;

    /** A handler, and whether all its effects are in the transaction. */
    record Registration<T>(EventHandler<T> handler, boolean batches) {}

    private ConsumerPlan(Builder<T> b) {
        this.name = b.name;
        this.inbox = b.inbox;
        this.transactions = b.transactions;
        this.source = required(b.source, "source: call from(…)");
        this.reader = required(b.reader, "reader: call from(…)");
        this.deadLetters = required(b.deadLetters, "destination for dead letters: call deadLettersTo(…)");
        this.deadLetterTopic = b.deadLetterTopic;
        this.version = b.version;
        this.meansUnavailable = b.meansUnavailable;
        this.options = b.options;
        this.listener = new GuardedListener(name, b.listeners);
        this.handlers = Map.copyOf(b.handlers);
        if (handlers.isEmpty()) {
            throw new IllegalArgumentException("Consumer " + name + " has no handler: call on(type, handler).");
        }
        if (inbox instanceof PurgeableInbox<T> purgeable) {
            requireLongEnough(purgeable.replayWindow());
        } else if (options.keepHandled().isPresent()) {
            throw new IllegalArgumentException("Consumer " + name
                    + " has keepHandled, but its inbox expires its records itself: remove keepHandled,"
                    + " and set the time in the options of the inbox (remember, for Redis and MongoDB).");
        }
    }

    private void requireLongEnough(Duration replayWindow) {
        options.keepHandled().filter(kept -> kept.compareTo(replayWindow) < 0).ifPresent(kept -> {
            throw new IllegalArgumentException("Consumer " + name + " keeps its records for " + kept
                    + ", but events can be delivered again for " + replayWindow
                    + " (the replay window of its inbox): their effects would happen twice. Keep the records longer, or shorten the"
                    + " replay window.");
        });
    }

    private <V> V required(@Nullable V value, String what) {
        if (value == null) {
            throw new IllegalArgumentException("Consumer " + name + " has no " + what + ".");
        }
        return value;
    }

    @Nullable Registration<T> handlerOf(String type) {
        return handlers.get(type);
    }

    /**
     * @param name of the consumer in the inbox and in dead letters; the same in every process of this consumer, and different
     *     from all other consumers
     */
    public static <T> Builder<T> named(String name, Inbox<T> inbox, Transactions<T> transactions) {
        return new Builder<>(name, inbox, transactions);
    }

    public static final class Builder<T> {
        private final String name;
        private final Inbox<T> inbox;
        private final Transactions<T> transactions;
        private final Map<String, Registration<T>> handlers = new HashMap<>();
        private @Nullable MessageSource source;
        private @Nullable MessageReader reader;
        private @Nullable Destination deadLetters;
        private UnaryOperator<String> deadLetterTopic = topic -> topic + ".dlt";
        private Function<ReceivedEvent, Optional<EntityVersion>> version = event -> Optional.empty();
        private Predicate<Throwable> meansUnavailable = thrown -> false;
        private ConsumerOptions options = ConsumerOptions.defaults();
        private final List<ConsumerListener> listeners = new ArrayList<>();

        private Builder(String name, Inbox<T> inbox, Transactions<T> transactions) {
            if (name.isBlank()) {
                throw new IllegalArgumentException(
                        "The consumer's name is blank: give it a name, which its inbox needs.");
            }
            this.name = name;
            this.inbox = Objects.requireNonNull(inbox, "inbox");
            this.transactions = Objects.requireNonNull(transactions, "transactions");
        }

        public String name() {
            return name;
        }

        public Builder<T> from(MessageSource messages, MessageReader readBy) {
            this.source = messages;
            this.reader = readBy;
            return this;
        }

        /** Handles events of this type one by one, each in its own transaction. Types without a handler are skipped. */
        public Builder<T> on(String type, EventHandler<T> handler) {
            return register(type, new Registration<>(handler, false));
        }

        /**
         * Like {@link #on}, but many events may share a transaction, and after a failure they are handled again one by one. Only
         * for handlers whose effects are all in that transaction: a rollback does not undo a sent mail.
         */
        public Builder<T> inBatches(String type, EventHandler<T> handler) {
            return register(type, new Registration<>(handler, true));
        }

        private Builder<T> register(String type, Registration<T> registration) {
            if (handlers.putIfAbsent(type, registration) != null) {
                throw new IllegalArgumentException(
                        "Consumer " + name + " has two handlers for " + type + ": remove one.");
            }
            return this;
        }

        /**
         * @param destination used by this consumer alone; stays the caller's to close
         */
        public Builder<T> deadLettersTo(Destination destination) {
            this.deadLetters = destination;
            return this;
        }

        /** Returns the dead-letter topic of a topic; default: the topic with {@code .dlt} appended. */
        public Builder<T> deadLetterTopic(UnaryOperator<String> naming) {
            this.deadLetterTopic = naming;
            return this;
        }

        /** Returns the entity and version of an event, if only newer versions of an entity are to be applied. */
        public Builder<T> onlyNewer(Function<ReceivedEvent, Optional<EntityVersion>> versionOf) {
            this.version = versionOf;
            return this;
        }

        /**
         * Defines further exceptions of handlers, or of their causes, that mean that a dependency is unavailable: the handler is
         * called again until it is available, without limit. A handler can also throw {@link DependencyUnavailableException}.
         */
        public Builder<T> unavailableWhen(Predicate<Throwable> thrown) {
            this.meansUnavailable = thrown;
            return this;
        }

        public Builder<T> options(ConsumerOptions newOptions) {
            this.options = newOptions;
            return this;
        }

        /** Adds a listener; those that were added before are called first. */
        public Builder<T> listener(ConsumerListener listener) {
            listeners.add(listener);
            return this;
        }

        public ConsumerPlan<T> build() {
            return new ConsumerPlan<>(this);
        }
    }
}
