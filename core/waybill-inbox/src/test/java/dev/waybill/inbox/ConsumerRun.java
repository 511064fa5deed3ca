package dev.waybill.inbox;

import dev.waybill.RetryPolicy;
import dev.waybill.admin.Actor;
import dev.waybill.admin.DeadLetterBox;
import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.format.MessageReader;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.spi.Destination;
import dev.waybill.spi.MessageSource;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.memory.InMemoryDestination;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.source.DeadLetterHarness;
import dev.waybill.tck.source.FaultyLetters;
import dev.waybill.tck.source.FaultyParts;
import dev.waybill.tck.source.SourceHarness.Sent;
import java.net.ConnectException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.function.Supplier;
import java.util.function.UnaryOperator;

/** Runs one scenario in which one call fails, and checks the result. */
final class ConsumerRun {
    private static final Actor PERSON = new Actor("night shift", "mended");
    /** Longer than any step of a run. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration HANG = Duration.ofMillis(100);
    private static final int WORKERS = 3;
    private static final int MOST_TRIES = 4;
    /** Short waits, so that failures are retried at once. */
    static final Waits WAITS = new Waits(
            Duration.ofMillis(20),
            Duration.ofMillis(20),
            Duration.ofMillis(1),
            Duration.ofMillis(5),
            Duration.ofMillis(5),
            Duration.ofMillis(40),
            Duration.ofMillis(5_000));

    private final DeadLetterHarness harness;
    private final Faults faults;
    private final FaultyParts parts;
    private final InMemoryInbox inbox = new InMemoryInbox();
    private final List<String> violations = Collections.synchronizedList(new ArrayList<>());
    private final List<String> sent = new ArrayList<>();
    /** The names of events whose effects were committed, in that order. */
    private final List<String> effects = Collections.synchronizedList(new ArrayList<>());

    private final Set<String> poison = ConcurrentHashMap.newKeySet();
    /** Letters that an operator has processed. */
    private final Set<String> sentBack = new LinkedHashSet<>();

    private final Set<String> discarded = new LinkedHashSet<>();

    private final Map<String, AtomicInteger> failing = new ConcurrentHashMap<>();
    private final Map<String, AtomicInteger> away = new ConcurrentHashMap<>();
    private final List<EventConsumer> consumers = new ArrayList<>();
    private int unreadable;
    private UnaryOperator<Destination> planted = letters -> letters;
    private boolean batches;
    private boolean inOrder = true;

    /**
     * @param faults of the calls; those of the wire are the harness's
     */
    ConsumerRun(DeadLetterHarness harness, Faults faults) {
        this.harness = harness;
        this.faults = faults;
        this.parts = new FaultyParts(faults);
    }

    /** With a bug in the destination of dead letters. */
    ConsumerRun plant(UnaryOperator<Destination> bug) {
        planted = bug;
        return this;
    }

    /**
     * @param strikes injects the fault: into the calls or into the network
     * @return the violations found
     */
    List<String> play(ConsumerScenario scenario, int call, Failure how, Faults strikes) {
        strikes.arm(call, how, () -> LockSupport.parkNanos(HANG.toNanos()));
        try {
            scenario.play(this);
            judgeThreads();
        } catch (RuntimeException | AssertionError e) {
            violations.add("stuck: " + e);
        } finally {
            consumers.forEach(EventConsumer::close);
            strikes.disarm();
        }
        boolean struck = strikes.struck();
        judgeCounts(struck);
        goOn();
        judge(struck);
        return violations;
    }

    // ---- the world

    void send(String... names) {
        List<Sent> messages = new ArrayList<>();
        for (String name : names) {
            messages.add(new Sent(
                    name.substring(0, 1),
                    ("{\"name\":\"" + name + "\"}").getBytes(StandardCharsets.UTF_8),
                    Map.of("event-id", name, "event-type", name.substring(0, 1).equals("a") ? "ordered" : "paid")));
            sent.add(name);
        }
        insist(() -> harness.send(messages));
    }

    /** A message that is not an event. */
    void sendUnreadable(String key) {
        unreadable++;
        insist(() -> harness.send(List.of(new Sent(key, new byte[] {1, 2, 3}, Map.of()))));
    }

    void isPoison(String name) {
        poison.add(name);
    }

    void mend(String name) {
        poison.remove(name);
    }

    void failsTimes(String name, int times) {
        failing.put(name, new AtomicInteger(times));
    }

    void findsAwayTimes(String name, int times) {
        away.put(name, new AtomicInteger(times));
    }

    void handleInBatches() {
        batches = true;
    }

    // ---- consumers

    void start() {
        Destination letters = new FaultyLetters(harness.destination(), faults);
        consumers.add(start(parts.source(harness.source()), planted.apply(letters), true));
    }

    /** Receives no poison messages, because its letters would go to another topic. */
    void startAnother() {
        inOrder = harness.membersKeepOrder();
        consumers.add(start(harness.source(), new InMemoryDestination(), false));
    }

    void closeFirst() {
        consumers.get(0).close();
    }

    private EventConsumer start(MessageSource source, Destination letters, boolean faulty) {
        ConsumerPlan<InMemoryInbox.Transaction> plan = EventConsumer.named(
                        "billing", faulty ? parts.inbox(inbox) : inbox, faulty ? parts.transactions(inbox) : inbox)
                .from(source, MessageReader.raw())
                .deadLettersTo(letters)
                .deadLetterTopic(topic -> faulty
                        ? parts.call("naming", harness::deadLetterTopic, ConsumerRun::failure)
                        : harness.deadLetterTopic())
                .options(ConsumerOptions.defaults()
                        .workers(WORKERS)
                        .grace(Duration.ofSeconds(5))
                        .retry(new RetryPolicy(4, Duration.ofMillis(5), 2, Duration.ofMillis(20))));
        EventHandler<InMemoryInbox.Transaction> handler = faulty
                ? (transaction, event) ->
                        parts.call("handler", () -> handle(transaction, event), ConsumerRun::ofHandler)
                : this::handle;
        for (String type : List.of("ordered", "paid")) {
            plan = batches ? plan.inBatches(type, handler) : plan.on(type, handler);
        }
        return EventConsumer.start(plan.parts(), WAITS);
    }

    private static RuntimeException failure(Failure how) {
        return new IllegalStateException("injected: " + how);
    }

    private static Exception ofHandler(Failure how) {
        return how == Failure.DISCONNECTED ? new ConnectException("injected") : failure(how);
    }

    private boolean handle(InMemoryInbox.Transaction transaction, ReceivedEvent event) {
        String name = event.id();
        if (poison.contains(name)) {
            throw new PermanentFailureException("poison");
        }
        if (failing.getOrDefault(name, new AtomicInteger()).getAndDecrement() > 0) {
            throw new IllegalStateException("not yet");
        }
        if (away.getOrDefault(name, new AtomicInteger()).getAndDecrement() > 0) {
            throw new DependencyUnavailableException("not there");
        }
        transaction.onCommit(() -> effects.add(name));
        return true;
    }

    /** Waits until every event has had its effect or is a letter. */
    void settle() {
        await("every event to be settled", this::isSettled);
    }

    private boolean isSettled() {
        return effects.containsAll(good()) && letters() >= poison.size() + sentBack.size() + unreadable;
    }

    private List<String> good() {
        return sent.stream().filter(name -> !poison.contains(name)).toList();
    }

    private long letters() {
        return consumers.stream()
                .mapToLong(consumer -> consumer.statistics().dead())
                .sum();
    }

    // ---- the operator

    void sendBack(String name) {
        dealWith(name, DeadLetterBox::sendBack);
        sentBack.add(name);
    }

    void discard(String name) {
        dealWith(name, DeadLetterBox::discard);
        discarded.add(name);
    }

    private interface Deal {
        boolean make(DeadLetterBox box, DeadLetterEntry letter, Actor by);
    }

    private void dealWith(String name, Deal deal) {
        DeadLetterBox box = parts.box(harness.box());
        boolean[] tried = {false};
        retry(() -> {
            Optional<DeadLetterEntry> letter = box.list(harness.deadLetterTopic(), 100).stream()
                    .filter(each -> each.eventId().filter(name::equals).isPresent())
                    .findFirst();
            if (letter.isEmpty() && !tried[0]) {
                throw new AssertionError("there is no letter of " + name);
            }
            tried[0] = true;
            // If an answer was lost, the letter may no longer exist.
            return letter.isEmpty() || deal.make(box, letter.get(), PERSON);
        });
    }

    private <R> R retry(Supplier<R> work) {
        for (int attempt = 1; ; attempt++) {
            try {
                return work.get();
            } catch (AssertionError e) {
                throw e;
            } catch (RuntimeException | Error e) {
                if (attempt == MOST_TRIES) {
                    throw e;
                }
            }
        }
    }

    private void insist(Runnable work) {
        retry(() -> {
            work.run();
            return true;
        });
    }

    // ---- checks

    private void await(String what, BooleanSupplier shared) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!shared.getAsBoolean()) {
            if (System.nanoTime() - deadline > 0) {
                throw new AssertionError("timed out waiting for " + what + "; effects are " + effects + ", letters "
                        + letters() + ", the consumers are "
                        + consumers.stream().map(EventConsumer::health).toList());
            }
            LockSupport.parkNanos(1_000_000);
        }
    }

    private void judgeThreads() {
        long alive = Thread.getAllStackTraces().keySet().stream()
                .filter(thread -> thread.getName().startsWith("waybill-consumer-billing"))
                .count();
        long wanted = consumers.stream().filter(EventConsumer::isHealthy).count() * (WORKERS + 1);
        if (alive < wanted) {
            violations.add("threads are gone: " + alive + " of " + wanted + " are left");
        }
    }

    private void judgeCounts(boolean struck) {
        long handled = consumers.stream()
                .mapToLong(consumer -> consumer.statistics().handled())
                .sum();
        // A commit whose answer was lost is counted as a duplicate when its event is delivered again.
        if (handled > effects.size() || (!struck && handled != effects.size())) {
            violations.add("counts: handled " + handled + ", but effects are " + effects);
        }
    }

    /** Another consumer, without failures, handles the rest and one more event of each key. */
    private void goOn() {
        try {
            send("a9", "b9", "c9");
            consumers.add(start(harness.source(), harness.destination(), false));
            settle();
        } catch (RuntimeException | AssertionError e) {
            violations.add("stuck afterwards: " + e);
        } finally {
            consumers.forEach(EventConsumer::close);
        }
    }

    private void judge(boolean struck) {
        Map<String, List<String>> wanted = byKey(good());
        Map<String, List<String>> seen = byKey(effects);
        if (!inOrder) {
            wanted.values().forEach(Collections::sort);
            seen.values().forEach(Collections::sort);
        }
        if (!seen.equals(wanted)) {
            violations.add("effects are " + seen + " instead of " + wanted);
        }
        judgeLetters(struck);
    }

    private void judgeLetters(boolean struck) {
        Map<String, Integer> letters = new TreeMap<>();
        harness.box()
                .list(harness.deadLetterTopic(), 1_000)
                .forEach(letter -> letters.merge(letter.eventId().orElse("unreadable"), 1, Integer::sum));
        Map<String, Integer> expected = new TreeMap<>();
        poison.stream().filter(name -> !discarded.contains(name)).forEach(name -> expected.put(name, 1));
        if (unreadable > 0) {
            expected.put("unreadable", unreadable);
        }
        if (!letters.equals(expected) && !(struck && isTwice(letters, expected))) {
            violations.add("letters are " + letters + " instead of " + expected);
        }
    }

    /** A letter whose answer or acknowledgement was lost exists twice, even if an operator has processed the first. */
    private boolean isTwice(Map<String, Integer> letters, Map<String, Integer> expected) {
        return letters.keySet().containsAll(expected.keySet())
                && letters.entrySet().stream()
                        .allMatch(each -> each.getValue() <= expected.getOrDefault(each.getKey(), 0) + 1
                                && (expected.containsKey(each.getKey())
                                        || sentBack.contains(each.getKey())
                                        || discarded.contains(each.getKey())));
    }

    private static Map<String, List<String>> byKey(List<String> names) {
        Map<String, List<String>> byKey = new LinkedHashMap<>();
        for (String name : List.copyOf(names)) {
            byKey.computeIfAbsent(name.substring(0, 1), key -> new ArrayList<>())
                    .add(name);
        }
        return new TreeMap<>(byKey);
    }
}
