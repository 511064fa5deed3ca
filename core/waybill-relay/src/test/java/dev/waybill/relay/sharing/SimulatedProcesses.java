package dev.waybill.relay.sharing;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.RelayName;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Random;
import java.util.function.BooleanSupplier;

/** Processes with the same relays, in several stores, on a manual clock that moves in small steps. */
final class SimulatedProcesses {
    static final String DESTINATION = "destination-0";
    private static final Duration KAFKA_DELIVERY_TIMEOUT = Duration.ofSeconds(30);
    private static final Duration STEP = Duration.ofMillis(20);

    private final Random random;
    private final Map<RelayName, SimulatedStore> relays = new LinkedHashMap<>();
    private final Map<RelayName, String> destinations = new HashMap<>();
    private final List<SimulatedProcess> running = new ArrayList<>();
    private Duration untilSendingFails = KAFKA_DELIVERY_TIMEOUT.plusSeconds(1);
    private long now;
    private int started;

    SimulatedProcesses(long seed, int relays, int stores) {
        this(seed, relays, stores, 1);
    }

    /** With the destinations {@code destination-0}, {@code destination-1} and so on, each with some of the relays. */
    SimulatedProcesses(long seed, int relays, int stores, int destinations) {
        this.random = new Random(seed);
        List<SimulatedStore> all = new ArrayList<>();
        for (int i = 0; i < stores; i++) {
            all.add(new SimulatedStore(() -> now));
        }
        for (int i = 0; i < relays; i++) {
            RelayName relay = new RelayName("relay-" + i);
            this.relays.put(relay, all.get(i % stores));
            this.destinations.put(relay, "destination-" + (i / stores) % destinations);
        }
    }

    /** How long the processes to be started take to notice that a destination is away. */
    SimulatedProcesses sendingFailsAfter(Duration time) {
        untilSendingFails = time;
        return this;
    }

    /** With all relays. */
    SimulatedProcess start() {
        return start(List.copyOf(relays.keySet()));
    }

    SimulatedProcess start(List<RelayName> some) {
        SimulatedProcess process = new SimulatedProcess("process " + started++, () -> now, random, untilSendingFails);
        List<RelayName> shuffled = new ArrayList<>(some);
        Collections.shuffle(shuffled, random);
        shuffled.forEach(relay -> process.add(relays.get(relay), destinations.get(relay), relay));
        running.add(process);
        return process;
    }

    /** Without a goodbye. */
    void kill(SimulatedProcess process) {
        running.remove(process);
    }

    List<SimulatedProcess> running() {
        return List.copyOf(running);
    }

    SimulatedProcess any() {
        return running.get(random.nextInt(running.size()));
    }

    List<RelayName> names() {
        return List.copyOf(relays.keySet());
    }

    SimulatedStore storeOf(RelayName relay) {
        return Objects.requireNonNull(relays.get(relay));
    }

    void run(Duration time) {
        long end = now + time.toNanos();
        while (now - end < 0) {
            now += STEP.toNanos();
            running.forEach(SimulatedProcess::step);
        }
    }

    /** @return after how long it was so */
    Duration runUntil(String what, Duration atMost, BooleanSupplier isSo) {
        long began = now;
        while (!isSo.getAsBoolean()) {
            assertThat(Duration.ofNanos(now - began))
                    .as(what + "; now %s", this)
                    .isLessThan(atMost);
            run(STEP);
        }
        return Duration.ofNanos(now - began);
    }

    /** How long no process has published the events of the relay. */
    Duration notPublishedFor(RelayName relay) {
        long last = running.stream()
                .mapToLong(process -> process.lastPublished(relay))
                .max()
                .orElse(0);
        return Duration.ofNanos(now - last);
    }

    boolean isEveryRelayHeld() {
        return relays.keySet().stream().allMatch(relay -> running.stream().anyMatch(process -> process.holds(relay)));
    }

    /** Whether no process runs two relays more than another. */
    boolean isEven() {
        List<Long> held = running.stream().map(SimulatedProcess::held).sorted().toList();
        return isEveryRelayHeld() && held.get(held.size() - 1) - held.get(0) <= 1;
    }

    int handedOver() {
        return running.stream().mapToInt(SimulatedProcess::handedOver).sum();
    }

    @Override
    public String toString() {
        return relays.size() + " relays, held "
                + running.stream().map(SimulatedProcess::held).toList() + ", handed over " + handedOver();
    }
}
