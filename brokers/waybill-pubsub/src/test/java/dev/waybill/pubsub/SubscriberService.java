package dev.waybill.pubsub;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import com.google.pubsub.v1.SubscriberGrpc.SubscriberImplBase;
import com.google.pubsub.v1.Subscription;
import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.ServerCallStreamObserver;
import io.grpc.stub.StreamObserver;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executor;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Delivers the messages of a topic to each subscription, by pull or on a stream, until they are acknowledged. */
final class SubscriberService extends SubscriberImplBase {
    private static final long LOOK_NANOS = TimeUnit.MILLISECONDS.toNanos(5);

    private final Map<String, Deliveries> subscriptions = new ConcurrentHashMap<>();
    private final Set<Stream> streams = ConcurrentHashMap.newKeySet();
    private final List<ModifyAckDeadlineRequest> deadlines = new CopyOnWriteArrayList<>();
    private final TopicLog log;
    private final Executor threads;
    private volatile Status readers = Status.OK;
    private volatile Status acknowledgements = Status.OK;
    private final AtomicInteger refused = new AtomicInteger();

    SubscriberService(TopicLog log, Executor threads) {
        this.log = log;
        this.threads = threads;
    }

    Deliveries deliveries(String subscription) {
        return subscriptions.get(subscription);
    }

    /** From now on all streams of readers end with this status, including new ones. */
    void answerReaders(Status status) {
        readers = status;
        endStreams(status);
    }

    void answerAcknowledgements(Status status) {
        acknowledgements = status;
    }

    int refusedAcknowledgements() {
        return refused.get();
    }

    /** As the service does now and then. */
    void endStreams(Status status) {
        streams.forEach(stream -> stream.end(status));
    }

    /** The changes of deadlines that were asked for. */
    List<ModifyAckDeadlineRequest> deadlines() {
        return deadlines;
    }

    @Override
    public void createSubscription(Subscription subscription, StreamObserver<Subscription> answer) {
        subscriptions.put(subscription.getName(), new Deliveries(log, subscription));
        answer(answer, subscription);
    }

    @Override
    @SuppressWarnings("deprecation") // clients ask for it
    public void pull(PullRequest request, StreamObserver<PullResponse> answer) {
        Optional<Deliveries> deliveries = find(request.getSubscription(), answer);
        if (deliveries.isEmpty()) {
            return;
        }
        Object reader = new Object();
        List<ReceivedMessage> given = List.of();
        while (given.isEmpty() && !Context.current().isCancelled()) {
            given = deliveries
                    .get()
                    .take(reader, request.getMaxMessages(), deliveries.get().ackDeadlineSeconds());
            if (request.getReturnImmediately()) {
                break;
            }
            LockSupport.parkNanos(LOOK_NANOS);
        }
        answer(answer, PullResponse.newBuilder().addAllReceivedMessages(given).build());
    }

    @Override
    public void acknowledge(AcknowledgeRequest request, StreamObserver<Empty> answer) {
        if (!acknowledgements.isOk()) {
            refused.incrementAndGet();
            answer.onError(acknowledgements.asRuntimeException());
            return;
        }
        find(request.getSubscription(), answer).ifPresent(deliveries -> {
            deliveries.acknowledge(Set.copyOf(request.getAckIdsList()));
            answer(answer, Empty.getDefaultInstance());
        });
    }

    @Override
    public void modifyAckDeadline(ModifyAckDeadlineRequest request, StreamObserver<Empty> answer) {
        deadlines.add(request);
        find(request.getSubscription(), answer).ifPresent(deliveries -> {
            deliveries.modify(Set.copyOf(request.getAckIdsList()), request.getAckDeadlineSeconds());
            answer(answer, Empty.getDefaultInstance());
        });
    }

    private Optional<Deliveries> find(String subscription, StreamObserver<?> answer) {
        Deliveries deliveries = subscriptions.get(subscription);
        if (deliveries == null) {
            answer.onError(Status.NOT_FOUND
                    .withDescription("Resource not found (resource=" + subscription + ").")
                    .asRuntimeException());
        }
        return Optional.ofNullable(deliveries);
    }

    private static <T> void answer(StreamObserver<T> to, T what) {
        to.onNext(what);
        to.onCompleted();
    }

    @Override
    public StreamObserver<StreamingPullRequest> streamingPull(StreamObserver<StreamingPullResponse> answer) {
        Stream stream = new Stream((ServerCallStreamObserver<StreamingPullResponse>) answer);
        stream.to.setOnCancelHandler(() -> streams.remove(stream));
        return stream;
    }

    /** One reader, with a limit of outstanding messages. */
    private final class Stream implements StreamObserver<StreamingPullRequest> {
        private final ServerCallStreamObserver<StreamingPullResponse> to;
        private boolean ended;

        private Stream(ServerCallStreamObserver<StreamingPullResponse> to) {
            this.to = to;
        }

        @Override
        public void onNext(StreamingPullRequest first) {
            if (!readers.isOk()) {
                end(readers);
                return;
            }
            find(first.getSubscription(), to).ifPresent(deliveries -> {
                streams.add(this);
                threads.execute(() -> give(deliveries, first));
            });
        }

        private void give(Deliveries deliveries, StreamingPullRequest first) {
            while (giveSome(deliveries, first)) {
                LockSupport.parkNanos(LOOK_NANOS);
            }
        }

        private synchronized boolean giveSome(Deliveries deliveries, StreamingPullRequest first) {
            if (ended || to.isCancelled()) {
                return false;
            }
            int room = (int) first.getMaxOutstandingMessages() - deliveries.outTo(this);
            List<ReceivedMessage> some = to.isReady() && room > 0
                    ? deliveries.take(this, room, first.getStreamAckDeadlineSeconds())
                    : List.of();
            if (!some.isEmpty()) {
                to.onNext(StreamingPullResponse.newBuilder()
                        .addAllReceivedMessages(some)
                        .build());
            }
            return true;
        }

        private synchronized void end(Status status) {
            if (!ended) {
                ended = true;
                streams.remove(this);
                to.onError(status.asRuntimeException());
            }
        }

        @Override
        public void onError(Throwable gone) {
            streams.remove(this);
        }

        @Override
        public void onCompleted() {
            end(Status.OK);
        }
    }
}
