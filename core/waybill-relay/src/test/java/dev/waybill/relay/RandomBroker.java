package dev.waybill.relay;

import dev.waybill.spi.Delivery;
import dev.waybill.spi.Delivery.InDoubt;
import dev.waybill.spi.Delivery.Refused;
import dev.waybill.spi.Delivery.Retry;
import dev.waybill.spi.Delivery.Unavailable;
import dev.waybill.spi.Destination;
import dev.waybill.spi.Guarantees;
import dev.waybill.spi.Guarantees.KeyOrder;
import dev.waybill.spi.OutboundMessage;
import dev.waybill.spi.Seen;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A broker that fails at random and answers in any order, but keeps exactly the guarantees of its {@link KeyOrder}. The test
 * processes its messages step by step. The first header of a message is the number of counted attempts.
 */
final class RandomBroker implements Destination {
    private final Random random;
    private final KeyOrder order;
    /** Published and not answered, oldest first. */
    private final List<Out> out = new ArrayList<>();

    private final List<String> arrived = new ArrayList<>();
    private final Map<String, Integer> failures = new HashMap<>();
    private final Set<String> refuses = new HashSet<>();
    /** The last publish with a failure of a key. */
    private final Map<String, Long> failed = new HashMap<>();

    /** Keys with a message that alone became unavailable, until the relay has seen that answer. */
    private final Set<String> away = new HashSet<>();

    private double failing;
    private boolean countsOutages;
    /** A message became unavailable, and the relay has not seen that answer yet. */
    private boolean broken;

    RandomBroker(Random random, KeyOrder order) {
        this.random = random;
        this.order = order;
    }

    private static final class Out {
        private final List<OutboundMessage> messages;
        private final Delivery[] outcomes;
        private final CompletableFuture<List<Delivery>> answer = new CompletableFuture<>();
        private final Seen seen;

        Out(List<OutboundMessage> messages, Seen seen) {
            this.messages = messages;
            this.seen = seen;
            this.outcomes = new Delivery[messages.size()];
        }

        int next() {
            int i = 0;
            while (i < outcomes.length && outcomes[i] != null) {
                i++;
            }
            return i;
        }

        boolean isWorkedOff() {
            return next() == outcomes.length;
        }
    }

    // ---- called by the test

    /** Percentage of messages that fail from now on. */
    void failPercent(int percent) {
        failing = percent / 100.0;
    }

    /** Outages are failures of the messages too. */
    void countOutages() {
        countsOutages = true;
    }

    void refuse(String name) {
        refuses.add(name);
    }

    void refuseNothing() {
        refuses.clear();
    }

    boolean isIdle() {
        return out.isEmpty();
    }

    boolean refuses(String name) {
        return refuses.contains(name);
    }

    /** Names in the order of arrival, repeats included. */
    List<String> arrived() {
        return arrived;
    }

    /** How often the event failed. */
    int failures(String name) {
        return failures.getOrDefault(name, 0);
    }

    /** Processes one message. */
    void step() {
        List<Out> waiting = out.stream().filter(one -> !one.isWorkedOff()).toList();
        if (!waiting.isEmpty()) {
            // ONE_AT_A_TIME: messages in flight together arrive in any order.
            Out one = waiting.get(order == KeyOrder.ONE_AT_A_TIME ? random.nextInt(waiting.size()) : 0);
            int index = one.next();
            one.outcomes[index] = workOff(one, one.messages.get(index));
        }
    }

    /** Answers any completed batch. */
    void answer() {
        List<Out> ready = out.stream().filter(Out::isWorkedOff).toList();
        if (!ready.isEmpty()) {
            answer(ready.get(random.nextInt(ready.size())));
        }
    }

    void finish() {
        while (!out.isEmpty()) {
            step();
            if (random.nextInt(3) == 0) {
                answer();
            }
        }
    }

    void goAway() {
        broken = true;
        out.forEach(this::lose);
    }

    /** The relay's process crashed: some of its messages arrive, and no answer is received. */
    void relayCrashed() {
        for (int i = random.nextInt(6); i > 0; i--) {
            step();
        }
        out.clear();
        failed.clear();
        away.clear();
        broken = false;
    }

    // ---- the destination

    @Override
    public Guarantees guarantees() {
        return new Guarantees(order, 1 << 20);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        batch.forEach(this::checkAttempts);
        if (order == KeyOrder.ONE_AT_A_TIME) {
            checkOneAtATime(batch);
        }
        Out one = new Out(batch, seen);
        out.add(one);
        if (broken) {
            lose(one);
        }
        return one.answer;
    }

    @Override
    public void abort() {
        broken = false;
        out.forEach(this::lose);
        failed.clear();
        away.clear();
        if (random.nextBoolean()) {
            List.copyOf(out).forEach(this::answer);
        }
    }

    @Override
    public void close() {}

    private Delivery workOff(Out one, OutboundMessage message) {
        String name = nameOf(message);
        if (order != KeyOrder.ONE_AT_A_TIME && failed.getOrDefault(keyOf(message), -1L) >= one.seen.below()) {
            return failing(one, message, Delivery.BEHIND);
        }
        if (away.contains(keyOf(message))) {
            return new Unavailable("the partition of this key is unavailable");
        }
        if (refuses.contains(name)) {
            return new Refused("refused for good");
        }
        if (random.nextDouble() < failing) {
            return failure(one, message);
        }
        arrived.add(name);
        return Delivery.DELIVERED;
    }

    private Delivery failure(Out one, OutboundMessage message) {
        int kind = random.nextInt(8);
        if (kind < 2 && random.nextBoolean()) {
            arrived.add(nameOf(message));
        }
        if (kind == 0) {
            broken = true;
            away.add(keyOf(message));
            return new Unavailable("its partition is unavailable");
        }
        return failing(
                one, message, kind == 1 ? new InDoubt("its partition is unavailable") : new Retry("failed by chance"));
    }

    private Delivery failing(Out one, OutboundMessage message, Delivery outcome) {
        failed.put(keyOf(message), one.seen.number());
        return outcome;
    }

    /** Messages that have not arrived never will; for those that have, the acknowledgement may be lost. */
    private void lose(Out one) {
        for (int i = 0; i < one.outcomes.length; i++) {
            boolean forgotten = one.outcomes[i] instanceof Delivery.Delivered && random.nextBoolean();
            if (one.outcomes[i] == null || forgotten) {
                one.outcomes[i] = new Unavailable("unavailable");
            }
        }
    }

    private void answer(Out one) {
        out.remove(one);
        for (int i = 0; i < one.outcomes.length; i++) {
            if (one.outcomes[i] instanceof Retry || (countsOutages && isOutage(one.outcomes[i]))) {
                failures.merge(nameOf(one.messages.get(i)), 1, Integer::sum);
            }
        }
        one.answer.complete(List.of(one.outcomes));
    }

    private static boolean isOutage(Delivery outcome) {
        return outcome instanceof Unavailable || outcome instanceof InDoubt;
    }

    private void checkAttempts(OutboundMessage message) {
        int counted = message.headers().get(0).value()[0];
        if (counted > failures(nameOf(message))) {
            throw new AssertionError(nameOf(message) + " comes with " + counted + " attempts, but only "
                    + failures(nameOf(message)) + " of its sends failed.");
        }
    }

    private void checkOneAtATime(List<OutboundMessage> batch) {
        Set<String> busy = new HashSet<>();
        out.forEach(one -> one.messages.forEach(message -> busy.add(keyOf(message))));
        for (OutboundMessage message : batch) {
            if (!busy.add(keyOf(message))) {
                throw new AssertionError(
                        nameOf(message) + " was published while another event of its key was in flight.");
            }
        }
    }

    private static String nameOf(OutboundMessage message) {
        return message.event().id().toString();
    }

    private static String keyOf(OutboundMessage message) {
        return message.event().orderKey().toString();
    }
}
