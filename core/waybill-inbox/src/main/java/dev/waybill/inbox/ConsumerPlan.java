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
import java.util.HashMap;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;

/**
 * What a consumer hears, what it does about it, and where it puts what it cannot handle.
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
    final Predicate<Throwable> meansAway;
    final ConsumerOptions options;
    private final Map<String, Registration<T>> handlers;

    /** A handler, and whether its effects are in the transaction alone. */
    record Registration<T>(EventHandler<T> handler, boolean batches) {}

    private ConsumerPlan(Builder<T> b) {
        this.name = b.name;
        this.inbox = b.inbox;
        this.transactions = b.transactions;
        this.source = required(b.source, "source: call from(…)");
        this.reader = required(b.reader, "reader: call from(…)");
        this.deadLetters = required(b.deadLetters, "place for dead letters: call deadLettersTo(…)");
        this.deadLetterTopic = b.deadLetterTopic;
        this.version = b.version;
        this.meansAway = b.meansAway;
        this.options = b.options;
        this.handlers = Map.copyOf(b.handlers);
        if (handlers.isEmpty()) {
            throw new IllegalArgumentException("Consumer " + name + " has no handler: call on(type, handler).");
        }
        if (inbox instanceof PurgeableInbox<T> purgeable) {
            requireLongEnough(purgeable.replayWindow());
        }
    }

    private void requireLongEnough(Duration replayWindow) {
        options.keepHandled().filter(kept -> kept.compareTo(replayWindow) < 0).ifPresent(kept -> {
            throw new IllegalArgumentException("Consumer " + name + " is to keep what it handled for " + kept
                    + ", but events may come again for " + replayWindow
                    + " (the replay window of its inbox): their effects would happen twice. Keep it longer, or shorten the"
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
     * @param name the consumer's name in the inbox and in dead letters; the same in every process of this consumer, and no
     *     other's
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
        private Predicate<Throwable> meansAway = thrown -> false;
        private ConsumerOptions options = ConsumerOptions.defaults();

        private Builder(String name, Inbox<T> inbox, Transactions<T> transactions) {
            if (name.isBlank()) {
                throw new IllegalArgumentException("A consumer needs a name: its inbox is kept under it.");
            }
            this.name = name;
            this.inbox = Objects.requireNonNull(inbox, "inbox");
            this.transactions = Objects.requireNonNull(transactions, "transactions");
        }

        public Builder<T> from(MessageSource messages, MessageReader readBy) {
            this.source = messages;
            this.reader = readBy;
            return this;
        }

        /** Events of this type are handled one by one, each in a transaction of its own. Types nobody handles are passed over. */
        public Builder<T> on(String type, EventHandler<T> handler) {
            return register(type, new Registration<>(handler, false));
        }

        /**
         * Like {@link #on}, but many events may share a transaction, and after a failure they are handled again one by one. Only
         * for handlers whose effects are in that transaction and nowhere else: mail sent twice is not taken back by a rollback.
         */
        public Builder<T> inBatches(String type, EventHandler<T> handler) {
            return register(type, new Registration<>(handler, true));
        }

        private Builder<T> register(String type, Registration<T> registration) {
            if (handlers.putIfAbsent(type, registration) != null) {
                throw new IllegalArgumentException("Consumer " + name + " has two handlers for " + type + ".");
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

        /** Names the dead-letter topic of a topic; {@code .dlt} is added unless said. */
        public Builder<T> deadLetterTopic(UnaryOperator<String> naming) {
            this.deadLetterTopic = naming;
            return this;
        }

        /** Tells the entity and version of an event, where only newer versions of an entity are to be applied. */
        public Builder<T> onlyNewer(Function<ReceivedEvent, Optional<EntityVersion>> versionOf) {
            this.version = versionOf;
            return this;
        }

        /**
         * Tells which exceptions of handlers, or of their causes, mean that something they need is away, besides those that say
         * so everywhere: a handler is called again until it is back, without an end. Where a handler knows it, it throws
         * {@link DependencyAwayException}.
         */
        public Builder<T> awayWhen(Predicate<Throwable> thrown) {
            this.meansAway = thrown;
            return this;
        }

        public Builder<T> options(ConsumerOptions newOptions) {
            this.options = newOptions;
            return this;
        }

        public ConsumerPlan<T> build() {
            return new ConsumerPlan<>(this);
        }
    }
}
