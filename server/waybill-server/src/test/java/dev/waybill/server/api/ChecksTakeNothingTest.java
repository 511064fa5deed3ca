package dev.waybill.server.api;

import static org.assertj.core.api.Assertions.assertThat;

import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.ListTopicsResponse;
import com.google.pubsub.v1.PublisherGrpc;
import com.google.pubsub.v1.PullRequest;
import com.google.pubsub.v1.PullResponse;
import com.google.pubsub.v1.SubscriberGrpc;
import com.google.pubsub.v1.Topic;
import dev.waybill.testkit.Await;
import io.grpc.Server;
import io.grpc.netty.shaded.io.grpc.netty.NettyServerBuilder;
import io.grpc.stub.StreamObserver;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** A viewer may run the checks again and again, so they must not take dead letters from their subscription. */
@Timeout(60)
class ChecksTakeNothingTest {
    private static final Topic LETTERS =
            Topic.newBuilder().setName("projects/p/topics/orders.dlt").build();

    private final List<String> pulled = new CopyOnWriteArrayList<>();

    @TempDir
    private Path directory;

    private static final class Topics extends PublisherGrpc.PublisherImplBase {
        @Override
        public void listTopics(ListTopicsRequest request, StreamObserver<ListTopicsResponse> answer) {
            answer.onNext(ListTopicsResponse.newBuilder().addTopics(LETTERS).build());
            answer.onCompleted();
        }

        @Override
        public void getTopic(GetTopicRequest request, StreamObserver<Topic> answer) {
            answer.onNext(LETTERS);
            answer.onCompleted();
        }
    }

    private final class Subscriptions extends SubscriberGrpc.SubscriberImplBase {
        @Override
        public void pull(PullRequest request, StreamObserver<PullResponse> answer) {
            pulled.add(request.getSubscription());
            answer.onNext(PullResponse.getDefaultInstance());
            answer.onCompleted();
        }
    }

    @Test
    void on_pubsub_they_pull_no_messages() throws Exception {
        Server pubsub = NettyServerBuilder.forAddress(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .addService(new Topics())
                .addService(new Subscriptions())
                .build()
                .start();
        try (ServedApi api = ServedApi.start(directory, "", """
                stores:
                  away: { type: postgres-journal, url: "jdbc:postgresql://127.0.0.1:1/away" }
                destinations:
                  pubsub: { type: pubsub, project: p, emulator: "127.0.0.1:%d" }
                relays:
                  one: { store: away, destination: pubsub }
                """.formatted(pubsub.getPort()))) {
            api.change("/api/checks/run", ServedApi.VIEWER, "{}");
            Await.until("the checks are through", () -> {
                var checks = api.read("/api/checks", ServedApi.VIEWER);
                return checks.has("at") && !checks.get("running").asBoolean();
            });
            assertThat(pulled).isEmpty();
            assertThat(api.read("/api/checks", ServedApi.VIEWER).toString())
                    .contains("Pub/Sub at", "not counted here, because that withholds them");
        } finally {
            pubsub.shutdownNow();
        }
    }
}
