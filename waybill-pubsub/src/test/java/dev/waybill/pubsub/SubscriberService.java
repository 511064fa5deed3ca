package dev.waybill.pubsub;

import com.google.protobuf.Empty;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.SubscriberGrpc.SubscriberImplBase;
import com.google.pubsub.v1.Subscription;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/** Gives each subscription what its topic holds, in order. What was pulled counts as acknowledged. */
final class SubscriberService extends SubscriberImplBase {
    private final Map<String, Cursor> cursors = new ConcurrentHashMap<>();
    private final TopicLog log;

    SubscriberService(TopicLog log) {
        this.log = log;
    }

    private record Cursor(String topic, int position) {}

    @Override
    public void createSubscription(Subscription subscription, StreamObserver<Subscription> answer) {
        cursors.put(subscription.getName(), new Cursor(subscription.getTopic(), 0));
        answer.onNext(subscription);
        answer.onCompleted();
    }

    @Override
    public void pull(PullRequest request, StreamObserver<PullResponse> answer) {
        Cursor cursor = cursors.get(request.getSubscription());
        if (cursor == null) {
            answer.onError(Status.NOT_FOUND.asRuntimeException());
            return;
        }
        PullResponse.Builder response = PullResponse.newBuilder();
        int position = cursor.position();
        Optional<PubsubMessage> next = log.get(cursor.topic(), position);
        while (next.isPresent() && response.getReceivedMessagesCount() < request.getMaxMessages()) {
            response.addReceivedMessages(ReceivedMessage.newBuilder()
                    .setAckId(String.valueOf(position))
                    .setMessage(next.get()));
            position++;
            next = log.get(cursor.topic(), position);
        }
        cursors.put(request.getSubscription(), new Cursor(cursor.topic(), position));
        answer.onNext(response.build());
        answer.onCompleted();
    }

    @Override
    public void acknowledge(AcknowledgeRequest request, StreamObserver<Empty> answer) {
        answer.onNext(Empty.getDefaultInstance());
        answer.onCompleted();
    }
}
