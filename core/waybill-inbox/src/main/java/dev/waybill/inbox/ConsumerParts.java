package dev.waybill.inbox;

import dev.waybill.Inbox;
import dev.waybill.Incoming.EntityVersion;
import dev.waybill.PurgeableInbox;
import dev.waybill.Transactions;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerPlan.Registration;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import dev.waybill.spi.support.UserCode;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** A plan of which nothing is missing: what a running consumer consists of. */
final class ConsumerParts<T> {
    private static final Logger log = LoggerFactory.getLogger(ConsumerParts.class);

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
    final UserCode userCode;
    final GuardedListener listener;
    private final Map<String, Registration<T>> handlers;

    ConsumerParts(ConsumerPlan<T> plan) {
        ConsumerPlan.How<T> how = plan.how;
        this.name = plan.name;
        this.inbox = plan.inbox;
        this.transactions = plan.transactions;
        this.source = required(how.reading().source(), "source: call from(…)");
        this.userCode =
                new UserCode(System::nanoTime, (words, thrown) -> log.error("Consumer {}: {}", name, words, thrown));
        MessageReader messageReader = required(how.reading().reader(), "reader: call from(…)");
        this.reader = userCode.guarded("reader", messageReader, messageReader::read)::apply;
        this.deadLetters =
                required(how.deadLetters().destination(), "destination for dead letters: call deadLettersTo(…)");
        UnaryOperator<String> topic = how.deadLetters().topic();
        this.deadLetterTopic = userCode.guarded("dead-letter topic", topic, topic)::apply;
        this.version = userCode.guarded("version", how.version(), how.version());
        Predicate<Throwable> unavailable = how.meansUnavailable();
        this.meansUnavailable = userCode.guarded("predicate", unavailable, unavailable::test)::apply;
        this.options = how.options();
        this.listener = new GuardedListener(name, how.listeners(), userCode);
        this.handlers = how.handlers();
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
}
