package dev.waybill.trials;

import dev.waybill.admin.RelayStatus;
import dev.waybill.tck.Seeds;
import dev.waybill.testkit.Await;
import java.io.IOException;
import java.time.Duration;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeMap;
import java.util.UUID;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Collectors;

/**
 * One run: its seed, its database and topics, its faults, the processes it started, and the result. All its processes
 * end with it.
 */
final class Trial implements AutoCloseable {
    private static final AtomicInteger COUNT = new AtomicInteger();

    private final String name;
    private final long seed;
    private final Random random;
    private final TrialDatabase database;
    private final Deque<AutoCloseable> opened = new ArrayDeque<>();
    private int children;

    private Trial(String name, long seed) throws Exception {
        this.name = name + "-" + COUNT.incrementAndGet();
        this.seed = seed;
        this.random = new Random(seed);
        this.database = TrialDatabase.create();
        say("seed " + seed);
    }

    static Trial begin(String name) throws Exception {
        return new Trial(name, Seeds.one());
    }

    /** Logs a fault or a measurement with the time of day, as in the logs of the processes. */
    void say(String what) {
        System.out.printf(
                "trial %s %s: %s%n", name, LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.MILLIS), what);
    }

    Random random() {
        return random;
    }

    TrialDatabase database() {
        return database;
    }

    /** Lets everything run for a random time. */
    void watch(Duration atLeast, Duration atMost) {
        Await.watch(Duration.ofMillis(random.nextLong(atLeast.toMillis(), atMost.toMillis())));
    }

    /** A relay from this trial's database to separate topics. */
    RelaySettings relay(String relay) {
        RelaySettings settings = new RelaySettings(
                database.url(),
                TrialServers.kafka().bootstrapServers(),
                relay,
                name + "." + relay,
                new RelaySettings.Times(Duration.ofSeconds(3), Duration.ofMillis(250), Duration.ofSeconds(30)),
                Flaw.NONE,
                false);
        Topics.make(topics(settings));
        return settings;
    }

    private static List<String> topics(RelaySettings settings) {
        return Workload.TYPES.stream()
                .map(type -> settings.topics() + "." + type)
                .toList();
    }

    <T extends AutoCloseable> T opened(T resource) {
        opened.push(resource);
        return resource;
    }

    /** Starts a process and waits until it runs. */
    RelayChild start(RelaySettings settings) throws Exception {
        RelayChild child = launch(settings);
        child.awaitWords(RelayProcess.RUNS);
        return child;
    }

    private RelayChild launch(RelaySettings settings) throws IOException {
        return opened(RelayChild.start(name + "-" + settings.relay() + "-" + ++children, settings));
    }

    /** Starts a consumer process and waits until it runs. */
    RelayChild start(ConsumerSettings settings) throws Exception {
        RelayChild child = opened(RelayChild.start(
                name + "-" + settings.consumer() + "-" + ++children, ConsumerProcess.class, settings.arguments()));
        child.awaitWords(ConsumerProcess.RUNS);
        return child;
    }

    /** Creates a topic for this trial. */
    String topic(String ending) {
        String topic = name + "." + ending;
        Topics.make(topic, 8, Map.of());
        Topics.make(List.of(topic + ".dlt"));
        return topic;
    }

    /** Sends SIGTERM and logs the last output. */
    void end(RelayChild child) throws Exception {
        child.terminate();
        child.awaitWords(RelayProcess.ENDED);
        say(child.name() + ": " + child.linesWith(RelayProcess.ENDED).get(0));
    }

    Workload startWriting(int transactionsPerSecond) {
        return opened(Workload.start(database.dataSource(), seed, transactionsPerSecond));
    }

    TopicReader read(RelaySettings settings) {
        return opened(new TopicReader(topics(settings)));
    }

    Optional<RelayStatus.Lease> lease(RelaySettings settings) {
        return database.status(settings.relay()).flatMap(RelayStatus::lease);
    }

    void awaitDrained(RelaySettings settings) throws Exception {
        Await.until(
                "an empty backlog of " + settings.relay(),
                Duration.ofMinutes(2),
                () -> database.isDrained(settings.relay()));
        say("drained");
    }

    /** Reads everything from the beginning and checks it. */
    Outcome judge(RelaySettings settings, WriterLog log) throws Exception {
        try (TopicReader reader = new TopicReader(topics(settings))) {
            List<Delivered> stream = reader.read();
            Verdict verdict = Checker.judge(database.committed(), log, stream);
            Outcome outcome = new Outcome(verdict, notSaved(settings, stream), stream);
            say(settings.relay() + ": " + outcome);
            return outcome;
        }
    }

    /** The messages that each session published after its last save, which are all that its successor may repeat. */
    private Map<Long, Long> notSaved(RelaySettings settings, List<Delivered> stream) throws Exception {
        Map<Long, List<UUID>> published = new HashMap<>();
        stream.forEach(message -> published
                .computeIfAbsent(message.epoch(), epoch -> new ArrayList<>())
                .add(message.eventId()));
        Map<Long, Long> notSaved = new TreeMap<>();
        for (Map.Entry<Long, List<UUID>> epoch : published.entrySet()) {
            notSaved.put(epoch.getKey(), database.notSaved(settings.relay(), epoch.getKey(), epoch.getValue()));
        }
        return notSaved;
    }

    /**
     * @param notSaved by epoch: number of messages that it published after the position from which its successor started
     * @param stream every message
     */
    record Outcome(Verdict verdict, Map<Long, Long> notSaved, List<Delivered> stream) {
        /** A repeated message is after the position from which the next session started. */
        long mostDuplicates() {
            return notSaved.values().stream().mapToLong(Long::longValue).sum();
        }

        Set<Long> epochs() {
            return stream.stream().map(Delivered::epoch).collect(Collectors.toSet());
        }

        @Override
        public String toString() {
            return verdict + "; published since the last save " + mostDuplicates() + ", by epoch " + notSaved;
        }
    }

    @Override
    public void close() {
        List<Exception> problems = new ArrayList<>();
        while (!opened.isEmpty()) {
            try {
                opened.pop().close();
            } catch (Exception e) {
                problems.add(e);
            }
        }
        if (!problems.isEmpty()) {
            throw new IllegalStateException("The trial " + name + " did not end cleanly.", problems.get(0));
        }
    }
}
