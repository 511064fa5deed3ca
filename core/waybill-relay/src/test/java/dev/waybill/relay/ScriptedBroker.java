package dev.waybill.relay;

import dev.waybill.spi.Delivery;
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
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/**
 * A broker that answers the first attempt of each event according to its script and accepts later ones, except those of refused
 * events. Its answers respect its {@link KeyOrder}: messages behind a failure that the relay has not seen do not arrive.
 */
final class ScriptedBroker implements Destination {
    private final KeyOrder order;
    private final Map<String, Answer> script;
    private final List<Out> out = new ArrayList<>();
    private final List<String> arrived = new ArrayList<>();
    /** Keys with a message answered Unavailable, until the relay has seen that answer. */
    private final Set<String> away = new HashSet<>();
    /** The last publish with a failure of a key. */
    private final Map<String, Long> failed = new HashMap<>();

    enum Answer {
        DELIVERED,
        RETRY,
        REFUSED,
        UNAVAILABLE,
        BEHIND,
        IN_DOUBT
    }

    private record Out(List<Delivery> outcomes, CompletableFuture<List<Delivery>> stage) {}

    ScriptedBroker(KeyOrder order, Map<String, Answer> script) {
        this.order = order;
        this.script = new HashMap<>(script);
    }

    /** Names in the order of arrival, repeats included. */
    List<String> arrived() {
        return arrived;
    }

    void refuseNothing() {
        script.values().removeIf(answer -> answer == Answer.REFUSED);
    }

    boolean isIdle() {
        return out.isEmpty();
    }

    /** Answers one publish. */
    void answer(boolean newest) {
        if (!out.isEmpty()) {
            Out one = out.remove(newest ? out.size() - 1 : 0);
            one.stage.complete(one.outcomes);
        }
    }

    @Override
    public Guarantees guarantees() {
        return new Guarantees(order, 1 << 20);
    }

    @Override
    public CompletionStage<List<Delivery>> publish(List<OutboundMessage> batch, Seen seen) {
        List<Delivery> outcomes = new ArrayList<>();
        for (OutboundMessage message : batch) {
            outcomes.add(outcome(
                    message.event().id().toString(), message.event().orderKey().toString(), seen));
        }
        Out one = new Out(List.copyOf(outcomes), new CompletableFuture<>());
        out.add(one);
        return one.stage;
    }

    private Delivery outcome(String name, String key, Seen seen) {
        Answer answer = answer(name, key, seen);
        switch (answer) {
            case DELIVERED -> arrived.add(name);
            case UNAVAILABLE -> away.add(key);
            case RETRY, BEHIND, IN_DOUBT -> failed.put(key, seen.number());
            case REFUSED -> {}
        }
        return switch (answer) {
            case DELIVERED -> Delivery.DELIVERED;
            case RETRY -> new Delivery.Retry("not now");
            case REFUSED -> new Delivery.Refused("never");
            case UNAVAILABLE -> new Delivery.Unavailable("away");
            case BEHIND -> Delivery.BEHIND;
            case IN_DOUBT -> new Delivery.InDoubt("this partition is unavailable");
        };
    }

    private Answer answer(String name, String key, Seen seen) {
        Answer scripted = script.getOrDefault(name, Answer.DELIVERED);
        if (scripted != Answer.REFUSED) {
            script.remove(name);
        }
        if (order == KeyOrder.ONE_AT_A_TIME) {
            return scripted;
        }
        if (away.contains(key)) {
            return Answer.UNAVAILABLE;
        }
        boolean behind = failed.getOrDefault(key, -1L) >= seen.below();
        return behind && scripted != Answer.UNAVAILABLE ? Answer.BEHIND : scripted;
    }

    @Override
    public void abort() {
        away.clear();
        failed.clear();
        List<Out> lost = List.copyOf(out);
        out.clear();
        lost.forEach(one -> one.stage.complete(one.outcomes.stream()
                .map(outcome -> outcome instanceof Delivery.Delivered
                        ? (Delivery) new Delivery.Unavailable("aborted")
                        : outcome)
                .toList()));
    }

    @Override
    public void close() {}
}
