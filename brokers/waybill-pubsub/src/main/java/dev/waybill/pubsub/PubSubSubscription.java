package dev.waybill.pubsub;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutureCallback;
import com.google.api.core.ApiFutures;
import com.google.pubsub.v1.StreamingPullRequest;
import dev.waybill.spi.InboundMessage;
import dev.waybill.spi.MessageSource.Listener;
import dev.waybill.spi.MessageSource.Subscription;
import dev.waybill.spi.SourceException;
import java.io.IOException;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ScheduledFuture;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/**
 * One reader of a subscription. Messages arrive on a stream, which Pub/Sub ends from time to time and which is then opened again;
 * received messages are kept. Acknowledgements and extensions of deadlines are separate requests, so they do not depend on the
 * stream.
 */
final class PubSubSubscription implements Subscription {
    private static final Logger log = LoggerFactory.getLogger(PubSubSubscription.class);
    private static final int THREADS = 2;
    private static final int EXTENSIONS_PER_DEADLINE = 3;
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration PATIENCE_WITH_STREAM = Duration.ofSeconds(1);
    private static final Duration PATIENCE_AT_CLOSE = Duration.ofSeconds(5);
    private static final Duration PATIENCE_AFTER_FAILURE = Duration.ofSeconds(1);

    private final PubSubSource source;
    private final Listener listener;
    private final PubSubErrors errors;
    private final ScheduledThreadPoolExecutor threads;
    private final PullClient client;
    private final OpenMessages messages;
    private final Set<ApiFuture<?>> requests = ConcurrentHashMap.newKeySet();
    private final AtomicReference<@Nullable Throwable> unanswered = new AtomicReference<>();
    /** The same for every stream, so that Pub/Sub keeps delivering a key to the reader that has its messages. */
    private final String clientId = UUID.randomUUID().toString();

    private final ScheduledFuture<?> extending;
    /** Guarded by the lock of the requests. Once set, no deadline is extended, because that could lease returned messages. */
    private boolean givingBack;

    private @Nullable MessageStream stream;
    private long brokenSince = System.nanoTime();
    private long notBefore = brokenSince;
    private Duration pause = FIRST_PAUSE;
    private boolean failed;
    private boolean closed;

    private PubSubSubscription(
            PubSubSource source, Listener listener, PullClient client, ScheduledThreadPoolExecutor threads) {
        this.source = source;
        this.listener = listener;
        this.errors = new PubSubErrors(source.options().address());
        this.client = client;
        this.threads = threads;
        this.messages = new OpenMessages(
                source.outstanding(), message -> new PubSubMessage(source.subscription(), source.topic(), message));
        long interval = source.ackDeadline().toMillis() / EXTENSIONS_PER_DEADLINE;
        this.extending = threads.scheduleWithFixedDelay(() -> extend(), interval, interval, TimeUnit.MILLISECONDS);
    }

    static PubSubSubscription open(PubSubSource source, Listener listener) {
        ScheduledThreadPoolExecutor threads = ClientThreads.start(THREADS);
        PullClient client;
        try {
            client = PullClient.open(source.options(), source.subscription(), threads);
        } catch (IOException e) {
            threads.shutdownNow();
            throw new PubSubErrors(source.options().address()).cannotRead(source.subscription(), e);
        }
        return new PubSubSubscription(source, listener, client, threads);
    }

    /** On a separate thread, because deadlines must be extended even while the polling thread is busy. */
    private void extend() {
        synchronized (requests) {
            if (!givingBack) {
                keep(source.ackDeadline());
            }
        }
    }

    private void keep(Duration time) {
        List<String> ackIds = messages.ackIds();
        if (!ackIds.isEmpty()) {
            follow(client.keep(ackIds, time), ackIds.size() + " changes of a deadline");
        }
    }

    @Override
    public List<InboundMessage> poll(Duration wait, int atMost) {
        MessageStream current = streaming();
        if (current != null && messages.hasRoom()) {
            current.wantMore();
        }
        try {
            return messages.give(atMost, wait);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw new SourceException("Interrupted while " + client.subscription() + " was read.", e);
        }
    }

    /**
     * @return null while it waits to be opened again
     * @throws SourceException if Pub/Sub refuses, or has been unavailable for a long time
     */
    private @Nullable MessageStream streaming() {
        Throwable lost = unanswered.get();
        if (lost != null) {
            failed = true;
            throw errors.whenReading(client.subscription(), lost);
        }
        MessageStream current = stream;
        if (current != null && current.end().isPresent()) {
            stream = null;
            ended(current, current.end().get());
        }
        if (stream == null && System.nanoTime() - notBefore >= 0) {
            stream = MessageStream.open(client, firstRequest(), messages);
        }
        return stream;
    }

    private StreamingPullRequest firstRequest() {
        return StreamingPullRequest.newBuilder()
                .setSubscription(client.subscription())
                .setStreamAckDeadlineSeconds((int) source.ackDeadline().toSeconds())
                .setMaxOutstandingMessages(source.outstanding().messages())
                .setMaxOutstandingBytes(source.outstanding().bytes())
                .setClientId(clientId)
                .build();
    }

    private void ended(MessageStream old, Throwable why) {
        long now = System.nanoTime();
        if (old.wasOfUse()) {
            brokenSince = now;
            pause = FIRST_PAUSE;
        }
        boolean tooLong = now - brokenSince > source.options().deliveryTimeout().toNanos();
        if (tooLong || !PubSubErrors.mayPass(why)) {
            failed = true;
            throw errors.whenReading(client.subscription(), why);
        }
        log.debug("The stream of {} has ended; opening it again in {} ms.", client.subscription(), pause.toMillis());
        notBefore = now + pause.toNanos();
        pause = pause.multipliedBy(2).compareTo(LONGEST_PAUSE) < 0 ? pause.multipliedBy(2) : LONGEST_PAUSE;
    }

    @Override
    public void acknowledge(Collection<InboundMessage> done) {
        List<String> ackIds = messages.done(done);
        if (!ackIds.isEmpty()) {
            follow(client.acknowledge(ackIds), ackIds.size() + " acknowledgements");
        }
        MessageStream current = stream;
        if (current != null && messages.hasRoom()) {
            current.wantMore();
        }
    }

    private void follow(ApiFuture<?> request, String what) {
        requests.add(request);
        ApiFutures.addCallback(
                request,
                new ApiFutureCallback<Object>() {
                    @Override
                    public void onSuccess(Object nothing) {
                        requests.remove(request);
                    }

                    @Override
                    public void onFailure(Throwable why) {
                        requests.remove(request);
                        if (PubSubErrors.mayPass(why)) {
                            // It was retried until the delivery timeout, so the subscription ends even if its stream is
                            // open.
                            unanswered.set(why);
                        }
                        log.warn(
                                "{} Some of {} are lost: those messages are delivered again; the inbox skips them.",
                                errors.whenReading(client.subscription(), why).getMessage(),
                                what);
                    }
                },
                Runnable::run);
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        endStream();
        listener.revoked(this, messages::isOpen);
        Duration patience = failed ? PATIENCE_AFTER_FAILURE : PATIENCE_AT_CLOSE;
        synchronized (requests) {
            givingBack = true;
        }
        extending.cancel(false);
        awaitRequests(patience);
        keep(Duration.ZERO);
        awaitRequests(patience);
        client.shutdownNow();
        threads.shutdown();
    }

    private void endStream() {
        MessageStream current = stream;
        stream = null;
        try {
            if (current != null) {
                current.close(PATIENCE_WITH_STREAM);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void awaitRequests(Duration atMost) {
        try {
            ApiFutures.successfulAsList(List.copyOf(requests)).get(atMost.toMillis(), TimeUnit.MILLISECONDS);
        } catch (TimeoutException | ExecutionException e) {
            log.warn(
                    "{} did not answer {} requests within {} ms: some messages are delivered again; the inbox skips them.",
                    client.subscription(),
                    requests.size(),
                    atMost.toMillis());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
