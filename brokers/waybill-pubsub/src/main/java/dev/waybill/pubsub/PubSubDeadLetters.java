package dev.waybill.pubsub;

import com.google.api.gax.rpc.ApiException;
import com.google.api.gax.rpc.StatusCode;
import com.google.protobuf.UnsafeByteOperations;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PubsubMessage;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterCount;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.admin.MessageLeftOutException;
import dev.waybill.format.DeadLetterBody;
import dev.waybill.format.MessageHead;
import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.SourceException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.function.Function;
import java.util.function.LongSupplier;
import java.util.function.UnaryOperator;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * Dead letters in Pub/Sub. Topics cannot be browsed, so each dead-letter topic needs its own subscription, without message
 * ordering, that has no other reader: letters wait there, and one that was sent back or discarded is acknowledged. The action and
 * the operator are recorded only in the log.
 *
 * <p>While one box reads letters, others see fewer, because Pub/Sub delivers each message to one reader at a time. {@link #list}
 * returns its letters to the subscription; letters that {@link #sendBack} and {@link #discard} have read besides their own are
 * returned by {@link #list} or {@link #close}, or two minutes after the last call ({@link Lease}).
 */
public final class PubSubDeadLetters implements DeadLetterBox, AutoCloseable {
    private static final Logger log = LoggerFactory.getLogger(PubSubDeadLetters.class);
    private static final int THREADS = 2;

    private final PubSubOptions options;
    private final PubSubErrors errors;
    private final UnaryOperator<String> subscriptionOf;
    private final Lease lease;
    private final ScheduledThreadPoolExecutor threads = ClientThreads.start(THREADS);
    private final Map<String, LeasedLetters> places = new HashMap<>();
    private @Nullable PubSubClient publisher;

    private PubSubDeadLetters(PubSubOptions options, UnaryOperator<String> subscriptionOf, LongSupplier nanoClock) {
        this.options = options;
        this.lease = Lease.of(options.deliveryTimeout(), nanoClock);
        this.errors = new PubSubErrors(options.address());
        this.subscriptionOf = subscriptionOf;
    }

    /** Each dead-letter topic has a subscription of the same name. */
    public static PubSubDeadLetters of(PubSubOptions options) {
        return of(options, Names::subscriptionNamedLike);
    }

    /**
     * @param subscriptionOf returns the subscription of a dead-letter topic
     */
    public static PubSubDeadLetters of(PubSubOptions options, UnaryOperator<String> subscriptionOf) {
        return new PubSubDeadLetters(options, subscriptionOf, System::nanoTime);
    }

    static PubSubDeadLetters at(LongSupplier nanoClock, PubSubOptions options) {
        return new PubSubDeadLetters(options, Names::subscriptionNamedLike, nanoClock);
    }

    @Override
    public synchronized List<DeadLetterEntry> list(String topic, int atMost) {
        return in(topic, letters -> {
            letters.release();
            List<DeadLetterEntry> all = letters.takeAll();
            letters.release();
            return all.stream().limit(atMost).toList();
        });
    }

    /** None if this client may not list topics. */
    @Override
    public synchronized Set<String> topics() {
        try {
            return publisher().topics(options.project()).stream()
                    .filter(topic -> topic.endsWith(SUFFIX))
                    .collect(Collectors.toCollection(TreeSet::new));
        } catch (ApiException e) {
            if (e.getStatusCode().getCode() == StatusCode.Code.PERMISSION_DENIED) {
                return Set.of();
            }
            throw failed("the topics of " + options.project(), e);
        }
    }

    @Override
    public boolean takesToRead() {
        return true;
    }

    /** Leases the letters and returns them, as {@link #list} does. */
    @Override
    public synchronized List<DeadLetterCount> count(Collection<String> topics, int atMost) {
        List<DeadLetterCount> counts = new ArrayList<>();
        for (String topic : new TreeSet<>(topics)) {
            if (exists(topic)) {
                List<String> consumers = list(topic, atMost).stream()
                        .map(DeadLetterEntry::consumer)
                        .toList();
                counts.add(
                        DeadLetterCount.of(topic, consumers, consumers.size() < Math.min(atMost, LeasedLetters.MOST)));
            }
        }
        return counts;
    }

    /** A client that may read letters may lack the permission to look at topics. */
    private boolean exists(String topic) {
        try {
            publisher().requireTopic(Names.topic(options.project(), topic));
            return true;
        } catch (ApiException e) {
            return switch (e.getStatusCode().getCode()) {
                case NOT_FOUND -> false;
                case PERMISSION_DENIED -> true;
                default -> throw failed("the topic " + topic, e);
            };
        }
    }

    private static SourceException failed(String what, ApiException e) {
        return new SourceException("Pub/Sub did not show " + what + " (" + PubSubErrors.words(e) + ").", e);
    }

    @Override
    public synchronized Optional<DeadLetterEntry> find(String topic, String place) {
        return in(topic, letters -> letters.find(place));
    }

    @Override
    public synchronized boolean sendBack(DeadLetterEntry letter, Actor by) {
        Optional<PubSubMessage> found = in(letter.topic(), letters -> letters.message(letter));
        found.ifPresent(message -> {
            publish(letter, letter.make(() -> original(letter, message)));
            acknowledge(letter);
            log.info(
                    "The dead letter {} was sent back to {} by {}: {}",
                    letter.place(),
                    letter.origin(),
                    by.who(),
                    by.why());
        });
        return found.isPresent();
    }

    @Override
    public synchronized boolean discard(DeadLetterEntry letter, Actor by) {
        Optional<DeadLetterEntry> found = in(letter.topic(), letters -> letters.find(letter.place()));
        found.ifPresent(there -> {
            acknowledge(there);
            log.info("The dead letter {} was discarded by {}: {}", letter.place(), by.who(), by.why());
        });
        return found.isPresent();
    }

    private void acknowledge(DeadLetterEntry letter) {
        in(letter.topic(), letters -> {
            letters.acknowledge(letter.place());
            return letter;
        });
    }

    private <R> R in(String topic, Function<LeasedLetters, R> work) {
        LeasedLetters letters = lettersIn(topic);
        try {
            return work.apply(letters);
        } catch (SourceException e) {
            letters.disconnect();
            throw e;
        }
    }

    private static PubsubMessage original(DeadLetterEntry entry, PubSubMessage letter) {
        DeadLetterBody body = entry.read(letter);
        body.leftOut().ifPresent(message -> {
            throw new MessageLeftOutException(
                    entry, message.place(), "a subscription does not deliver an acknowledged message again");
        });
        MessageHead head = MessageHead.of(letter, body);
        PubsubMessage.Builder message =
                PubsubMessage.newBuilder().setData(UnsafeByteOperations.unsafeWrap(body.original()));
        byte[] key = head.key();
        if (key != null) {
            message.setOrderingKeyBytes(UnsafeByteOperations.unsafeWrap(key));
        }
        head.headers()
                .forEach(header ->
                        message.putAttributes(header.name(), new String(header.value(), StandardCharsets.UTF_8)));
        return message.build();
    }

    private void publish(DeadLetterEntry letter, PubsubMessage message) {
        String topic = letter.origin();
        PublishRequest request = letter.make(() -> PublishRequest.newBuilder()
                .setTopic(Names.topic(options.project(), topic))
                .addMessages(message)
                .build());
        try {
            publisher().publish(request, true).get();
        } catch (ExecutionException e) {
            Throwable cause = e.getCause() == null ? e : e.getCause();
            Delivery answer = errors.whenSending(topic, cause);
            if (answer instanceof Refused) {
                throw new LetterStaysException(letter, answer.error());
            }
            closePublisher();
            throw new SourceException(
                    "A dead letter could not be sent back and is kept: " + answer.error() + ".", cause);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SourceException("Interrupted; a dead letter may have been sent back and still exist.", e);
        }
    }

    private PubSubClient publisher() {
        PubSubClient current = publisher;
        if (current == null) {
            try {
                current = PubSubClient.open(options, threads);
            } catch (IOException e) {
                throw new SourceException(errors.cannotOpen(e).error() + ".", e);
            }
            publisher = current;
        }
        return current;
    }

    private LeasedLetters lettersIn(String topic) {
        return places.computeIfAbsent(topic, key -> {
            String subscription = subscriptionOf.apply(topic);
            return new LeasedLetters(
                    () -> PullClient.open(options, subscription, threads), errors, subscription, topic, lease);
        });
    }

    @Override
    public synchronized void close() {
        places.values().forEach(letters -> {
            try {
                letters.release();
            } catch (SourceException e) {
                log.warn(
                        "{} The letters that were read are delivered again in {} s.",
                        e.getMessage(),
                        lease.time().toSeconds());
            }
            letters.disconnect();
        });
        places.clear();
        closePublisher();
        threads.shutdown();
    }

    private void closePublisher() {
        PubSubClient current = publisher;
        publisher = null;
        if (current != null) {
            current.shutdownNow();
        }
    }
}
