package dev.waybill.inbox;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.format.MessageReader;
import dev.waybill.tck.Seeds;
import dev.waybill.tck.faults.Failure;
import dev.waybill.tck.faults.FaultInjection;
import dev.waybill.tck.faults.Faults;
import dev.waybill.tck.memory.InMemoryInbox;
import dev.waybill.tck.source.CountedLetters;
import dev.waybill.tck.source.DeadLetterHarness;
import dev.waybill.tck.source.DeadLetterHarness.MissingPlace;
import dev.waybill.tck.source.SourceHarness.Sent;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * Every call of a consumer fails in turn: a scenario is run with its first call to the broker, the inbox, the transactions,
 * the handler or the dead letters failing, then its second, and so on, in each of the ways a call can fail. After each run
 * every message has had one effect or is a dead letter, keys are in order, nothing is stuck and no thread has ended.
 *
 * <p>Again with {@code -Dwaybill.seed=… -Dwaybill.scenario=DEAD_LETTER}; more of them with {@code -Dwaybill.failures=100}.
 */
public abstract class FailingConsumerContract {
    /** Limit of the requests that are made to fail: a client sends them without end. */
    private static final int MOST_REQUESTS = 60;

    private final List<String> violations = new ArrayList<>();
    private int injected;

    /** An empty topic and an empty dead-letter topic, for one run. */
    protected abstract DeadLetterHarness newBroker() throws Exception;

    /** How many failures a normal run injects; the long one injects all. */
    protected abstract int sample();

    @Test
    @Timeout(value = 20, unit = TimeUnit.MINUTES)
    void whichever_call_fails_every_message_has_one_effect_or_is_a_letter() throws Exception {
        long seed = Seeds.one();
        Random random = new Random(seed);
        List<ConsumerScenario> scenarios = asked().toList();
        int most = Integer.getInteger("waybill.failures", sample());
        List<Failure> ways = ways();
        for (int i = 0; i < most; i++) {
            ConsumerScenario scenario = scenarios.get((i + random.nextInt(2)) % scenarios.size());
            if (i % 3 == 2 && !ways.isEmpty()) {
                runWithRequest(scenario, 1 + random.nextInt(MOST_REQUESTS / 2), one(ways, random));
            } else {
                run(scenario, 1 + random.nextInt(callsOf(scenario)), one(List.of(Failure.values()), random));
            }
        }
        report("seed " + seed);
    }

    @Test
    @Timeout(value = 5, unit = TimeUnit.MINUTES)
    void while_the_topic_for_letters_is_missing_messages_wait_and_later_letters_are_complete() throws Exception {
        int messages = 4;
        int madeBefore = 2 * messages + 2;
        try (DeadLetterHarness harness = newBroker()) {
            assumeTrue(harness.missingPlace().isPresent(), "this broker has no topic that can be missing");
            MissingPlace place = harness.missingPlace().orElseThrow();
            CountedLetters letters = new CountedLetters(place.destination(), attempt -> {
                if (attempt == madeBefore) {
                    place.make().run();
                }
            });
            InMemoryInbox inbox = new InMemoryInbox();
            try (EventConsumer consumer = EventConsumer.start(
                    EventConsumer.named("billing", inbox, inbox)
                            .from(harness.source(), MessageReader.raw())
                            .on("placed", (transaction, event) -> {})
                            .deadLettersTo(letters)
                            .deadLetterTopic(topic -> place.topic())
                            .parts(),
                    ConsumerRun.WAITS)) {
                for (int i = 0; i < messages; i++) {
                    byte[] noEvent = ("order " + i).getBytes(StandardCharsets.UTF_8);
                    harness.send(List.of(new Sent("k" + i, noEvent, Map.of())));
                }
                while (consumer.statistics().dead() < messages) {
                    LockSupport.parkNanos(1_000_000);
                }
            }
            assertThat(harness.box().list(place.topic(), 100))
                    .hasSize(messages)
                    .allMatch(letter -> letter.contents() == DeadLetterEntry.Contents.MESSAGE);
        }
    }

    @Test
    @Tag("full")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void whichever_call_fails_in_whichever_way() throws Exception {
        for (ConsumerScenario scenario : asked().toList()) {
            for (Failure how : Failure.values()) {
                int call = 1;
                while (run(scenario, call, how)) {
                    call++;
                }
            }
        }
        report("all");
    }

    @Test
    @Tag("full")
    @Timeout(value = 3, unit = TimeUnit.HOURS)
    void whichever_request_fails() throws Exception {
        assumeTrue(!ways().isEmpty(), "requests to this broker cannot be made to fail");
        for (ConsumerScenario scenario : asked().toList()) {
            for (Failure how : ways()) {
                for (int request = 1; request <= MOST_REQUESTS && runWithRequest(scenario, request, how); request++) {
                    // The next one.
                }
            }
        }
        report("requests");
    }

    /** In which a request can fail. */
    private List<Failure> ways() throws Exception {
        try (DeadLetterHarness harness = newBroker()) {
            return harness.faults().stream()
                    .flatMap(faults -> faults.ways().stream())
                    .sorted()
                    .toList();
        }
    }

    private static Stream<ConsumerScenario> asked() {
        String name = System.getProperty("waybill.scenario", ".*");
        return Stream.of(ConsumerScenario.values())
                .filter(scenario -> scenario.name().matches(name));
    }

    private static Failure one(List<Failure> ways, Random random) {
        return ways.get(random.nextInt(ways.size()));
    }

    /** The number of calls in memory without a failure; a consumer that is closed at once may make none. */
    private int callsOf(ConsumerScenario scenario) {
        Faults faults = new Faults();
        try (InMemoryBroker memory = new InMemoryBroker()) {
            violations.addAll(
                    new ConsumerRun(memory, faults).play(scenario, Integer.MAX_VALUE, Failure.BEFORE, faults));
        }
        return Math.max(1, faults.calls());
    }

    private boolean run(ConsumerScenario scenario, int call, Failure how) throws Exception {
        Faults faults = new Faults();
        return play(scenario, call, how, faults, Optional.of(faults));
    }

    private boolean runWithRequest(ConsumerScenario scenario, int request, Failure how) throws Exception {
        return play(scenario, request, how, new Faults(), Optional.empty());
    }

    /** @param armed injects the fault; empty for requests */
    private boolean play(ConsumerScenario scenario, int call, Failure how, Faults calls, Optional<Faults> armed)
            throws Exception {
        try (DeadLetterHarness harness = newBroker()) {
            Faults strikes =
                    armed.or(() -> harness.faults().map(FaultInjection::faults)).orElseThrow();
            List<String> found = new ConsumerRun(harness, calls).play(scenario, call, how, strikes);
            String where = scenario + ", call " + call + " (" + strikes.struckAt() + "), " + how + ": ";
            found.forEach(violation -> violations.add(where + violation));
            injected += strikes.struck() ? 1 : 0;
            return strikes.struck();
        }
    }

    private void report(String chosenBy) {
        System.out.println(getClass().getSimpleName() + ": every call of a consumer fails in turn (" + chosenBy + "): "
                + injected + " failures injected, " + violations.size() + " violations");
        assertThat(violations)
                .as("violations of %d failures, %s", injected, chosenBy)
                .isEmpty();
    }
}
