package dev.waybill.trials;

import dev.waybill.admin.RelayStatus;
import dev.waybill.testkit.Await;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;

/** Two processes that run the same relay: one is active, the other stands by. */
final class RelayPair {
    private final Trial trial;
    private final RelaySettings settings;
    private final TopicReader reader;
    private final List<RelayChild> running = new ArrayList<>();

    private RelayPair(Trial trial, RelaySettings settings) {
        this.trial = trial;
        this.settings = settings;
        this.reader = trial.read(settings);
    }

    static RelayPair start(Trial trial, RelaySettings settings) throws Exception {
        RelayPair pair = new RelayPair(trial, settings);
        pair.startAnother();
        pair.startAnother();
        return pair;
    }

    void startAnother() throws Exception {
        running.add(trial.start(settings));
    }

    void remove(RelayChild ended) {
        running.remove(ended);
    }

    List<RelayChild> running() {
        return running;
    }

    RelayStatus.Lease lease() throws Exception {
        Await.until(
                "a lease on " + settings.relay(), () -> trial.lease(settings).isPresent());
        return trial.lease(settings).orElseThrow();
    }

    RelayChild working(RelayStatus.Lease lease) {
        return find(lease, true);
    }

    RelayChild standingBy(RelayStatus.Lease lease) {
        return find(lease, false);
    }

    private RelayChild find(RelayStatus.Lease lease, boolean owner) {
        return running.stream()
                .filter(child -> child.owns(lease.owner()) == owner)
                .findFirst()
                .orElseThrow(() -> new AssertionError("None of " + running.size() + " processes fits " + lease + "."));
    }

    void awaitMessages() throws Exception {
        Await.until("the first message", () -> !reader.read().isEmpty());
    }

    /**
     * Waits until a session other than this one has published.
     *
     * @return the time since that moment
     */
    Duration awaitTakeover(long epoch, Instant since) throws Exception {
        Await.until(
                "a message of an epoch after " + epoch,
                () -> reader.read().stream().anyMatch(message -> message.epoch() > epoch));
        Instant first = reader.read().stream()
                .filter(message -> message.epoch() > epoch)
                .map(Delivered::appendedAt)
                .min(Instant::compareTo)
                .orElseThrow();
        Duration takeover = Duration.between(since, first);
        trial.say("published again after " + takeover.toMillis() + " ms");
        return takeover;
    }
}
