package dev.waybill.pubsub;

import com.google.api.gax.rpc.ClientStream;
import com.google.api.gax.rpc.ResponseObserver;
import com.google.api.gax.rpc.StreamController;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;

/** One stream of messages. It requests a response only if there is room for the messages in it. */
final class MessageStream implements ResponseObserver<StreamingPullResponse> {
    private static final Logger log = LoggerFactory.getLogger(MessageStream.class);
    private static final Duration LONG_LIFE = Duration.ofSeconds(5);

    private final OpenMessages into;
    private final String subscription;
    private final long openedAt = System.nanoTime();
    private @Nullable ClientStream<StreamingPullRequest> requests;
    private @Nullable StreamController controller;
    private @Nullable Throwable end;
    private boolean asked;
    private boolean ofUse;

    private MessageStream(OpenMessages into, String subscription) {
        this.into = into;
        this.subscription = subscription;
    }

    static MessageStream open(PullClient client, StreamingPullRequest first, OpenMessages into) {
        MessageStream stream = new MessageStream(into, first.getSubscription());
        ClientStream<StreamingPullRequest> requests = client.stream(stream);
        stream.requests = requests;
        requests.send(first);
        return stream;
    }

    @Override
    public synchronized void onStart(StreamController newController) {
        newController.disableAutoInboundFlowControl();
        controller = newController;
    }

    /** Requests the next response, unless it was requested already. */
    synchronized void wantMore() {
        if (!asked && controller != null && end == null) {
            asked = true;
            controller.request(1);
        }
    }

    @Override
    public void onResponse(StreamingPullResponse response) {
        synchronized (this) {
            asked = false;
            notifyAll();
            if (!ofUse) {
                ofUse = true;
                checkOrder(response);
            }
        }
        into.takeIn(response.getReceivedMessagesList());
        if (into.hasRoom()) {
            wantMore();
        }
    }

    private void checkOrder(StreamingPullResponse first) {
        boolean keys = first.getReceivedMessagesList().stream()
                .anyMatch(each -> !each.getMessage().getOrderingKeyBytes().isEmpty());
        if (keys
                && first.hasSubscriptionProperties()
                && !first.getSubscriptionProperties().getMessageOrderingEnabled()) {
            log.warn(
                    "{} delivers messages with ordering keys in any order: use a subscription with message ordering if the"
                            + " order of a key matters.",
                    subscription);
        }
    }

    @Override
    public void onError(Throwable why) {
        ended(why);
    }

    @Override
    public void onComplete() {
        ended(new CancellationException("Pub/Sub ended the stream"));
    }

    private void ended(Throwable why) {
        synchronized (this) {
            end = why;
            notifyAll();
            ofUse = ofUse || System.nanoTime() - openedAt > LONG_LIFE.toNanos();
        }
        into.wake();
    }

    /** Why it has ended; empty while it is open. */
    synchronized Optional<Throwable> end() {
        return Optional.ofNullable(end);
    }

    /** Whether it delivered something, or was at least open for a while; known when it has ended. */
    synchronized boolean wasOfUse() {
        return ofUse;
    }

    /**
     * Half-closes the stream and waits for messages in transit: other readers would get them only after their deadline.
     */
    void close(Duration atMost) throws InterruptedException {
        ClientStream<StreamingPullRequest> sending = requests;
        if (sending != null && end().isEmpty()) {
            sending.closeSend();
            awaitEnd(atMost);
        }
        cancel();
    }

    private synchronized void awaitEnd(Duration atMost) throws InterruptedException {
        long deadline = System.nanoTime() + atMost.toNanos();
        for (long left = atMost.toNanos(); end == null && left > 0; left = deadline - System.nanoTime()) {
            wantMore();
            wait(left / 1_000_000, (int) (left % 1_000_000));
        }
    }

    private synchronized void cancel() {
        if (controller != null && end == null) {
            controller.cancel();
        }
    }
}
