package dev.waybill.pubsub;

import com.google.api.core.ApiFuture;
import com.google.api.core.ApiFutures;
import com.google.api.gax.core.FixedExecutorProvider;
import com.google.api.gax.grpc.GrpcCallContext;
import com.google.api.gax.rpc.ClientStream;
import com.google.api.gax.rpc.ResponseObserver;
import com.google.cloud.pubsub.v1.stub.SubscriberStub;
import com.google.cloud.pubsub.v1.stub.SubscriberStubSettings;
import com.google.protobuf.Empty;
import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.ModifyAckDeadlineRequest;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.StreamingPullRequest;
import com.google.pubsub.v1.StreamingPullResponse;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;
import java.util.function.Function;

/** Google's client for reading one subscription. Callers handle failures. */
final class PullClient {
    /** A request has at most 512 kB; an id takes some 200 bytes. */
    private static final int MOST_IDS = 1_000;

    private final SubscriberStub stub;
    private final String subscription;

    private PullClient(SubscriberStub stub, String subscription) {
        this.stub = stub;
        this.subscription = subscription;
    }

    /** Reads credentials, possibly over the network. Connects when the first request is sent. */
    static PullClient open(PubSubOptions options, String subscription, ScheduledExecutorService threads)
            throws IOException {
        SubscriberStubSettings.Builder settings = SubscriberStubSettings.newBuilder()
                .setTransportChannelProvider(PubSubClient.channel(options, threads))
                .setCredentialsProvider(PubSubClient.credentials(options))
                .setBackgroundExecutorProvider(FixedExecutorProvider.create(threads));
        settings.acknowledgeSettings()
                .setRetryableCodes(PubSubErrors.TRIED_AGAIN)
                .setRetrySettings(PubSubClient.retries(options.deliveryTimeout()));
        settings.modifyAckDeadlineSettings()
                .setRetryableCodes(PubSubErrors.TRIED_AGAIN)
                .setRetrySettings(PubSubClient.retries(options.deliveryTimeout()));
        settings.pullSettings().setRetryableCodes();
        return new PullClient(settings.build().createStub(), Names.subscription(options.project(), subscription));
    }

    String subscription() {
        return subscription;
    }

    ClientStream<StreamingPullRequest> stream(ResponseObserver<StreamingPullResponse> to) {
        return stub.streamingPullCallable().splitCall(to);
    }

    /** Completes when a message is available, or with DEADLINE_EXCEEDED. */
    ApiFuture<PullResponse> pull(int atMost, Duration wait) {
        return pull(PullRequest.newBuilder().setSubscription(subscription).setMaxMessages(atMost), wait);
    }

    /** Completes at once, which shows whether Pub/Sub is available. */
    @SuppressWarnings("deprecation") // costs the service more than a waiting pull; used for the last check only
    ApiFuture<PullResponse> pullNow(int atMost, Duration wait) {
        return pull(
                PullRequest.newBuilder()
                        .setSubscription(subscription)
                        .setMaxMessages(atMost)
                        .setReturnImmediately(true),
                wait);
    }

    private ApiFuture<PullResponse> pull(PullRequest.Builder request, Duration wait) {
        return stub.pullCallable()
                .futureCall(request.build(), GrpcCallContext.createDefault().withTimeoutDuration(wait));
    }

    ApiFuture<?> acknowledge(List<String> ackIds) {
        return inRequests(
                ackIds,
                ids -> stub.acknowledgeCallable()
                        .futureCall(AcknowledgeRequest.newBuilder()
                                .setSubscription(subscription)
                                .addAllAckIds(ids)
                                .build()));
    }

    /** Sets the deadline of these messages from now on; with zero they are redelivered at once. */
    ApiFuture<?> keep(List<String> ackIds, Duration time) {
        return inRequests(
                ackIds,
                ids -> stub.modifyAckDeadlineCallable()
                        .futureCall(ModifyAckDeadlineRequest.newBuilder()
                                .setSubscription(subscription)
                                .addAllAckIds(ids)
                                .setAckDeadlineSeconds((int) time.toSeconds())
                                .build()));
    }

    private static ApiFuture<?> inRequests(List<String> ackIds, Function<List<String>, ApiFuture<Empty>> send) {
        List<ApiFuture<Empty>> sent = new ArrayList<>();
        for (int from = 0; from < ackIds.size(); from += MOST_IDS) {
            sent.add(send.apply(ackIds.subList(from, Math.min(ackIds.size(), from + MOST_IDS))));
        }
        return ApiFutures.allAsList(sent);
    }

    /** Cancels requests in flight. Returns at once. */
    void shutdownNow() {
        stub.shutdownNow();
    }
}
