package dev.waybill.pubsub;

import com.google.api.core.ApiFuture;
import com.google.api.gax.batching.BatchingSettings;
import com.google.api.gax.core.CredentialsProvider;
import com.google.api.gax.core.FixedCredentialsProvider;
import com.google.api.gax.core.FixedExecutorProvider;
import com.google.api.gax.core.NoCredentialsProvider;
import com.google.api.gax.grpc.GrpcCallContext;
import com.google.api.gax.grpc.InstantiatingGrpcChannelProvider;
import com.google.api.gax.retrying.RetrySettings;
import com.google.api.gax.rpc.TransportChannelProvider;
import com.google.auth.oauth2.GoogleCredentials;
import com.google.cloud.pubsub.v1.stub.PublisherStub;
import com.google.cloud.pubsub.v1.stub.PublisherStubSettings;
import com.google.pubsub.v1.GetTopicRequest;
import com.google.pubsub.v1.ListTopicsRequest;
import com.google.pubsub.v1.ListTopicsResponse;
import com.google.pubsub.v1.PublishRequest;
import com.google.pubsub.v1.PublishResponse;
import dev.waybill.pubsub.PubSubOptions.ApplicationDefault;
import dev.waybill.pubsub.PubSubOptions.CredentialsFile;
import dev.waybill.pubsub.PubSubOptions.Emulator;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledExecutorService;

/** Google's client for publishing, with its retries; the session decides what a request contains and when it is sent. */
final class PubSubClient {
    private static final Duration FIRST_PAUSE = Duration.ofMillis(50);
    private static final Duration LONGEST_PAUSE = Duration.ofSeconds(2);
    private static final Duration ONE_ATTEMPT = Duration.ofSeconds(10);
    /** Without this, an idle stream does not notice a lost connection. The shortest interval that servers allow. */
    private static final Duration KEEP_ALIVE = Duration.ofMinutes(5);
    /** The timeout of a message that has failed before is divided by this. */
    private static final int IMPATIENCE = 6;

    private final PublisherStub stub;
    private final GrpcCallContext impatient;

    private PubSubClient(PublisherStub stub, PubSubOptions options) {
        this.stub = stub;
        this.impatient = GrpcCallContext.createDefault()
                .withRetrySettings(retries(options.deliveryTimeout().dividedBy(IMPATIENCE)));
    }

    /** Reads credentials, possibly over the network. Connects when the first request is sent. */
    static PubSubClient open(PubSubOptions options, ScheduledExecutorService threads) throws IOException {
        PublisherStubSettings.Builder settings = PublisherStubSettings.newBuilder()
                .setTransportChannelProvider(channel(options, threads))
                .setCredentialsProvider(credentials(options))
                .setBackgroundExecutorProvider(FixedExecutorProvider.create(threads));
        settings.publishSettings()
                .setRetryableCodes(PubSubErrors.TRIED_AGAIN)
                .setRetrySettings(retries(options.deliveryTimeout()))
                .setBatchingSettings(
                        BatchingSettings.newBuilder().setIsEnabled(false).build());
        return new PubSubClient(settings.build().createStub(), options);
    }

    static TransportChannelProvider channel(PubSubOptions options, ScheduledExecutorService threads) {
        InstantiatingGrpcChannelProvider.Builder channel = PublisherStubSettings.defaultGrpcTransportProviderBuilder()
                .setEndpoint(options.address())
                .setKeepAliveTimeDuration(KEEP_ALIVE)
                .setExecutor(threads);
        if (options.access() instanceof Emulator) {
            channel.setChannelConfigurator(builder -> builder.usePlaintext());
        }
        return channel.build();
    }

    static CredentialsProvider credentials(PubSubOptions options) throws IOException {
        if (options.access() instanceof Emulator) {
            return NoCredentialsProvider.create();
        }
        if (options.access() instanceof ApplicationDefault) {
            return PublisherStubSettings.defaultCredentialsProviderBuilder().build();
        }
        try (InputStream file = Files.newInputStream(((CredentialsFile) options.access()).file())) {
            return FixedCredentialsProvider.create(
                    GoogleCredentials.fromStream(file).createScoped(PublisherStubSettings.getDefaultServiceScopes()));
        }
    }

    static RetrySettings retries(Duration total) {
        Duration attempt = total.compareTo(ONE_ATTEMPT) < 0 ? total : ONE_ATTEMPT;
        return RetrySettings.newBuilder()
                .setInitialRetryDelayDuration(FIRST_PAUSE)
                .setRetryDelayMultiplier(2)
                .setMaxRetryDelayDuration(LONGEST_PAUSE)
                .setInitialRpcTimeoutDuration(attempt)
                .setRpcTimeoutMultiplier(1)
                .setMaxRpcTimeoutDuration(attempt)
                .setTotalTimeoutDuration(total)
                .build();
    }

    ApiFuture<PublishResponse> publish(PublishRequest request, boolean patient) {
        return patient
                ? stub.publishCallable().futureCall(request)
                : stub.publishCallable().futureCall(request, impatient);
    }

    /** Number of topics on the first page of the project's list. */
    int countTopics(String project) {
        ListTopicsRequest request =
                ListTopicsRequest.newBuilder().setProject("projects/" + project).build();
        return stub.listTopicsCallable().call(request, impatient).getTopicsCount();
    }

    /** Names of all topics of the project. */
    Set<String> topics(String project) {
        Set<String> names = new TreeSet<>();
        String page = "";
        do {
            ListTopicsResponse answer = stub.listTopicsCallable()
                    .call(
                            ListTopicsRequest.newBuilder()
                                    .setProject("projects/" + project)
                                    .setPageToken(page)
                                    .build(),
                            impatient);
            answer.getTopicsList().forEach(topic -> names.add(Names.last(topic.getName())));
            page = answer.getNextPageToken();
        } while (!page.isEmpty());
        return names;
    }

    /** @throws com.google.api.gax.rpc.ApiException if it does not exist */
    void requireTopic(String path) {
        stub.getTopicCallable().call(GetTopicRequest.newBuilder().setTopic(path).build(), impatient);
    }

    /** Cancels requests in flight. Returns at once. */
    void shutdownNow() {
        stub.shutdownNow();
    }
}
