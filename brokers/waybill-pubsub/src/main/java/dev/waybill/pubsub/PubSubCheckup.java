package dev.waybill.pubsub;

import com.google.api.gax.rpc.ApiException;
import dev.waybill.admin.BrokerCheckup;
import dev.waybill.admin.BrokerFindings;
import dev.waybill.admin.Finding;
import dev.waybill.pubsub.PubSubOptions.Emulator;
import dev.waybill.spi.Counted;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.ScheduledThreadPoolExecutor;

/** Checks Google Pub/Sub, with the options that relays publish with. */
public final class PubSubCheckup implements BrokerCheckup {
    private final PubSubOptions options;
    private final PubSubErrors errors;

    private PubSubCheckup(PubSubOptions options) {
        this.options = options;
        this.errors = new PubSubErrors(options.address());
    }

    public static PubSubCheckup of(PubSubOptions options) {
        return new PubSubCheckup(options);
    }

    @Override
    public List<Finding> examine(Collection<String> topics) {
        ScheduledThreadPoolExecutor threads = new ScheduledThreadPoolExecutor(1, task -> {
            Thread daemon = new Thread(task, "waybill-pubsub-checkup");
            daemon.setDaemon(true);
            return daemon;
        });
        try {
            PubSubClient client = PubSubClient.open(options, threads);
            try {
                return look(client, new TreeSet<>(topics));
            } finally {
                client.shutdownNow();
            }
        } catch (IOException e) {
            return List.of(BrokerFindings.unavailable(errors.cannotOpen(e).error(), e));
        } finally {
            threads.shutdown();
        }
    }

    private List<Finding> look(PubSubClient client, Set<String> topics) {
        List<Finding> findings = new ArrayList<>();
        try {
            int count = client.countTopics(options.project());
            findings.add(Finding.fine(
                    "broker",
                    "Pub/Sub at " + options.address() + " answers; " + Counted.of(count, "topic") + " in "
                            + options.project()));
        } catch (ApiException e) {
            if (PubSubErrors.isAway(e)) {
                return List.of(BrokerFindings.unavailable(
                        errors.unavailable(PubSubErrors.words(e)).error(), e));
            }
            findings.add(Finding.fine(
                    "broker", "Pub/Sub at " + options.address() + " answers, but lists no topics for this client"));
        }
        findings.add(Finding.fine("encryption", options.access() instanceof Emulator ? "none: an emulator" : "TLS"));
        topics.forEach(topic -> findings.add(topic(client, topic)));
        return findings;
    }

    private Finding topic(PubSubClient client, String topic) {
        try {
            client.requireTopic(Names.topic(options.project(), topic));
            return Finding.fine("topic", topic + " exists");
        } catch (ApiException e) {
            return switch (e.getStatusCode().getCode()) {
                case NOT_FOUND ->
                    Finding.problem(
                            "topic", topic + " does not exist", "Create it; until then its events become dead.");
                case PERMISSION_DENIED ->
                    Finding.warning(
                            "topic",
                            topic + " cannot be checked: this client has no permission",
                            "Publishing may still work; grant roles/pubsub.viewer to have it checked.");
                default ->
                    Finding.problem(
                            "topic",
                            topic + " cannot be checked (" + PubSubErrors.words(e) + ")",
                            "Correct its name, or check again later.");
            };
        }
    }
}
