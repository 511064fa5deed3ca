package dev.waybill.tck.source;

import dev.waybill.admin.DeadLetterEntry;
import dev.waybill.admin.LetterStaysException;
import dev.waybill.spi.SourceException;
import dev.waybill.tck.source.SourceHarness.Sent;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Predicate;
import java.util.function.Supplier;

/**
 * An operator who retries failed requests, and the checks. Of three letters, the first is sent back and the second
 * discarded. A reported success is final. A failed request may have taken effect, but a letter never disappears before
 * its message was sent; and a letter may be invisible briefly, while the broker takes it back from a failed connection.
 */
final class FailedOperation {
    private static final int MOST_TRIES = 4;
    /** Longer than any broker withholds messages that it delivered in a lost answer. */
    private static final Duration PATIENCE = Duration.ofMinutes(2);

    private static final Duration LOOK_AGAIN = Duration.ofMillis(20);

    private final DeadLetterHarness harness;
    private final List<String> violations = new ArrayList<>();
    private Optional<Boolean> sentBack = Optional.empty();
    private Optional<Boolean> discarded = Optional.empty();
    /** Whether a request has failed; from then on letters may be invisible for a while. */
    private boolean failed;

    FailedOperation(DeadLetterHarness harness) {
        this.harness = harness;
    }

    List<String> violations() {
        return violations;
    }

    void dealWithLetters() {
        List<DeadLetterEntry> letters = insist("list", this::list, all -> all.size() == 3);
        if (!GivingUp.ids(letters).equals(List.of("1", "2", "3"))) {
            violations.add("listed were " + GivingUp.ids(letters));
            return;
        }
        DeadLetterEntry first = letters.get(0);
        DeadLetterEntry second = letters.get(1);
        sentBack = dealWith("send back", () -> harness.box().sendBack(first, FailingLettersContract.PERSON));
        var unused = insist(
                "find", () -> harness.box().find(harness.deadLetterTopic(), second.place()), Optional::isPresent);
        discarded = dealWith("discard", () -> harness.box().discard(second, FailingLettersContract.PERSON));
    }

    private List<DeadLetterEntry> list() {
        return harness.box().list(harness.deadLetterTopic(), 1_000);
    }

    /** Lists until the expected letters are visible. */
    private <R> R insist(String what, Supplier<R> look, Predicate<R> wanted) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (true) {
            try {
                R seen = look.get();
                if (wanted.test(seen) || System.nanoTime() - deadline > 0) {
                    return seen;
                }
                if (!failed) {
                    violations.add(what + " showed " + seen);
                    return seen;
                }
            } catch (SourceException e) {
                if (System.nanoTime() - deadline > 0) {
                    throw e;
                }
                failed = true;
            }
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
        }
    }

    /** @return the final answer */
    private Optional<Boolean> dealWith(String what, Supplier<Boolean> deal) {
        for (int tries = 1; tries <= MOST_TRIES; tries++) {
            try {
                boolean done = deal.get();
                if (!done && tries == 1) {
                    violations.add(what + " said that there is no such letter");
                }
                return Optional.of(done);
            } catch (SourceException | LetterStaysException e) {
                // Expected: the operator retries.
                failed = true;
            }
        }
        violations.add(what + " failed " + MOST_TRIES + " times");
        return Optional.empty();
    }

    void judge(boolean struck) {
        List<String> left = lettersLeft(ids -> ids.contains("3"));
        List<String> came = whatCame();
        if (!came.contains("1") && !left.contains("1")) {
            left = lettersLeft(ids -> ids.contains("1"));
        }
        if (!came.contains("1") && !left.contains("1")) {
            violations.add("the message that was sent back is lost");
        }
        int most = struck ? 2 : 1;
        if (came.size() > most || Collections.frequency(came, "1") != came.size()) {
            violations.add("what came back is " + came);
        }
        boolean gone = !(isTrue(sentBack) && left.contains("1")) && !(isTrue(discarded) && left.contains("2"));
        boolean exact = struck || left.equals(List.of("3"));
        if (!gone || !exact || Collections.frequency(left, "3") != 1) {
            violations.add("letters left are " + left + ", sent back: " + sentBack + ", discarded: " + discarded);
        }
    }

    private static boolean isTrue(Optional<Boolean> answer) {
        return answer.orElse(false);
    }

    private List<String> lettersLeft(Predicate<List<String>> enough) {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        List<String> left = GivingUp.ids(list());
        while (!enough.test(left) && System.nanoTime() - deadline < 0) {
            LockSupport.parkNanos(LOOK_AGAIN.toNanos());
            left = GivingUp.ids(list());
        }
        return left;
    }

    /** The ids of the messages that arrive before a marker sent now. */
    private List<String> whatCame() {
        harness.send(List.of(new Sent("k", "marker".getBytes(StandardCharsets.UTF_8), Map.of())));
        try (Reading reading = Reading.again(harness.source()).await("marker")) {
            reading.acknowledgeAll();
            return reading.got().stream()
                    .flatMap(message -> message.header("event-id").stream())
                    .toList();
        }
    }
}
