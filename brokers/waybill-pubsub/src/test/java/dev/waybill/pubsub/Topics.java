package dev.waybill.pubsub;

import com.google.pubsub.v1.AcknowledgeRequest;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublisherGrpc;
import com.google.pubsub.v1.PubsubMessage;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.ReceivedMessage;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.pubsub.v1.SubscriberGrpc.SubscriberBlockingStub;
import com.google.pubsub.v1.Subscription;
import com.google.pubsub.v1.Topic;
import dev.waybill.spi.OutboundMessage.Header;
import dev.waybill.tck.destination.DestinationHarness.Received;
import io.grpc.ManagedChannel;
import io.grpc.netty.shaded.io.grpc.netty.NettyChannelBuilder;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;

/** Makes topics on a Pub/Sub without TLS, the emulator or our own, and reads them as a subscriber does. */
final class Topics implements AutoCloseable {
    static final String PROJECT = "test-project";
    private static final AtomicInteger COUNT = new AtomicInteger();
    /** After this many empty pulls a subscription counts as empty. */
    private static final int EMPTY_LOOKS = 5;

    private final ManagedChannel channel;

    Topics(String address) {
        channel = NettyChannelBuilder.forTarget(address)
                .usePlaintext()
                .maxInboundMessageSize(32_000_000)
                .build();
    }

    static String unused() {
        return "topic-" + COUNT.incrementAndGet();
    }

    String create() {
        String topic = unused();
        create(topic);
        return topic;
    }

    /** With a subscription of the same name that keeps order. */
    void create(String topic) {
        create(topic, true);
    }

    /** With a subscription of the same name. */
    void create(String topic, boolean inOrder) {
        PublisherGrpc.newBlockingStub(channel)
                .createTopic(Topic.newBuilder().setName(path("topics", topic)).build());
        SubscriberGrpc.newBlockingStub(channel)
                .createSubscription(Subscription.newBuilder()
                        .setName(path("subscriptions", topic))
                        .setTopic(path("topics", topic))
                        .setEnableMessageOrdering(inOrder)
                        .setAckDeadlineSeconds(60)
                        .build());
    }

    void publish(String topic, List<PubsubMessage> messages) {
        // A request is for one key. The caller must repeat one that is never answered.
        messages.forEach(message -> PublisherGrpc.newBlockingStub(channel)
                .withDeadlineAfter(10, TimeUnit.SECONDS)
                .publish(PublishRequest.newBuilder()
                        .setTopic(path("topics", topic))
                        .addMessages(message)
                        .build()));
    }

    /** What has come since the last look, in order for each key. */
    List<PubsubMessage> read(String topic) {
        SubscriberBlockingStub stub = SubscriberGrpc.newBlockingStub(channel);
        List<PubsubMessage> all = new ArrayList<>();
        int empty = 0;
        while (empty < EMPTY_LOOKS) {
            PullResponse pulled = stub.pull(pullNow(topic));
            if (pulled.getReceivedMessagesCount() == 0) {
                empty++;
                LockSupport.parkNanos(Duration.ofMillis(20).toNanos());
            } else {
                empty = 0;
                AcknowledgeRequest.Builder read =
                        AcknowledgeRequest.newBuilder().setSubscription(path("subscriptions", topic));
                for (ReceivedMessage received : pulled.getReceivedMessagesList()) {
                    all.add(received.getMessage());
                    read.addAckIds(received.getAckId());
                }
                stub.acknowledge(read.build());
            }
        }
        return all;
    }

    @SuppressWarnings("deprecation") // pulls that wait are for those who go on reading; here the end must be found
    private static PullRequest pullNow(String topic) {
        return PullRequest.newBuilder()
                .setSubscription(path("subscriptions", topic))
                .setMaxMessages(1_000)
                .setReturnImmediately(true)
                .build();
    }

    static Received received(PubsubMessage message) {
        List<Header> headers = new ArrayList<>();
        message.getAttributesMap().forEach((name, value) -> headers.add(new Header(name, bytes(value))));
        byte[] key = message.getOrderingKey().isEmpty() ? null : bytes(message.getOrderingKey());
        return new Received(key, message.getData().toByteArray(), headers);
    }

    private static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    static String path(String kind, String name) {
        return "projects/" + PROJECT + "/" + kind + "/" + name;
    }

    @Override
    public void close() {
        channel.shutdownNow();
    }
}
