package dev.waybill.pubsub;

import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublishResponse;
import com.google.pubsub.v1.PublisherGrpc.PublisherImplBase;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.Topic;
import dev.waybill.pubsub.Faults.Fault;
import dev.waybill.tck.faults.Failure;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;

/** Accepts messages, and refuses those that the real service refuses. */
final class PublisherService extends PublisherImplBase {
    private final TopicLog log;
    private final Faults faults;
    private final FailingPublishes failing;
    private final Runnable disconnect;
    private final AtomicInteger atOnce = new AtomicInteger();
    private final AtomicInteger mostAtOnce = new AtomicInteger();

    /** @param disconnect closes all connections, soon */
    PublisherService(TopicLog log, Faults faults, FailingPublishes failing, Runnable disconnect) {
        this.log = log;
        this.faults = faults;
        this.failing = failing;
        this.disconnect = disconnect;
    }

    @Override
    public void createTopic(Topic topic, StreamObserver<Topic> answer) {
        log.create(topic.getName());
        answer.onNext(topic);
        answer.onCompleted();
    }

    @Override
    public void getTopic(GetTopicRequest request, StreamObserver<Topic> answer) {
        if (!log.has(request.getTopic())) {
            answer.onError(Status.NOT_FOUND.asRuntimeException());
            return;
        }
        answer.onNext(Topic.newBuilder().setName(request.getTopic()).build());
        answer.onCompleted();
    }

    /** How many requests were at work at the same time. */
    int mostAtOnce() {
        return mostAtOnce.get();
    }

    @Override
    public void publish(PublishRequest request, StreamObserver<PublishResponse> answer) {
        mostAtOnce.accumulateAndGet(atOnce.incrementAndGet(), Math::max);
        AnswerOnce once = new AnswerOnce(answer, atOnce);
        Optional<Failure> failure = failing.faults().strike("publish");
        if (failure.isPresent()) {
            fail(request, failure.get(), once);
        } else {
            take(request, once);
        }
    }

    private void fail(PublishRequest request, Failure how, AnswerOnce answer) {
        if (how == Failure.BEFORE) {
            answer.fail(failing.status());
            return;
        }
        if (how == Failure.REPLY_LOST) {
            log.add(request.getTopic(), request.getMessagesList());
        }
        if (how != Failure.STALL) {
            disconnect.run();
        }
        atOnce.decrementAndGet();
    }

    private void take(PublishRequest request, AnswerOnce answer) {
        Optional<Fault> fault = faults.meet(request);
        Status status = fault.map(met -> before(met)).orElse(Status.OK);
        if (status.isOk()) {
            status = check(request);
        }
        if (!status.isOk()) {
            answer.fail(status);
            return;
        }
        PublishResponse response = PublishResponse.newBuilder()
                .addAllMessageIds(log.add(request.getTopic(), request.getMessagesList()))
                .build();
        Optional<Fault> lost = fault.filter(met -> met.kind() == Faults.Kind.KEPT);
        if (lost.isPresent()) {
            answer.fail(lost.get().status());
            return;
        }
        answer.give(response);
    }

    /** Counted as ended before the client gets the answer, so that its next request is not counted as concurrent. */
    private record AnswerOnce(StreamObserver<PublishResponse> to, AtomicInteger atOnce) {
        void give(PublishResponse response) {
            atOnce.decrementAndGet();
            to.onNext(response);
            to.onCompleted();
        }

        void fail(Status status) {
            atOnce.decrementAndGet();
            to.onError(status.asRuntimeException());
        }
    }

    private static Status before(Fault fault) {
        return switch (fault.kind()) {
            case REFUSED -> fault.status();
            case KEPT -> Status.OK;
            case HELD -> {
                fault.awaitMended();
                yield Status.OK;
            }
        };
    }

    private Status check(PublishRequest request) {
        if (!log.has(request.getTopic())) {
            return Status.NOT_FOUND.withDescription("Resource not found (resource=" + request.getTopic() + ").");
        }
        long keys = request.getMessagesList().stream()
                .map(PubsubMessage::getOrderingKey)
                .distinct()
                .count();
        boolean fits = request.getSerializedSize() <= 10_000_000
                && request.getMessagesCount() <= 1_000
                && keys == 1
                && request.getMessagesList().stream().allMatch(PublisherService::fits);
        return fits ? Status.OK : Status.INVALID_ARGUMENT.withDescription("The request does not fit.");
    }

    private static boolean fits(PubsubMessage message) {
        return (!message.getData().isEmpty() || message.getAttributesCount() > 0)
                && message.getAttributesCount() <= 100
                && message.getOrderingKeyBytes().size() <= 1024
                && message.getAttributesMap().entrySet().stream()
                        .noneMatch(each -> each.getKey().isEmpty()
                                || each.getKey().startsWith("goog")
                                || each.getKey().length() > 256
                                || each.getValue().length() > 1024);
    }
}
