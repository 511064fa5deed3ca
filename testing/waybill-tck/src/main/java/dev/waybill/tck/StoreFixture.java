package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import dev.waybill.Event;
import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.EventHistory;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.RelayStatus;
import dev.waybill.admin.Selection;
import dev.waybill.admin.StoreAdmin;
import dev.waybill.spi.EventStore;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;

/** Creates a new store for every test, and has the methods that tests use. */
@Timeout(value = 2, unit = TimeUnit.MINUTES)
@ExtendWith(SeedsInFailures.class)
abstract class StoreFixture {
    static final RelayName RELAY = new RelayName("contract");
    static final RelayName OTHER_RELAY = new RelayName("contract-other");
    static final OwnerId ONE = new OwnerId("owner one");
    static final OwnerId TWO = new OwnerId("owner two");
    static final Duration LEASE = Duration.ofSeconds(30);
    static final Duration SHORT = Duration.ofSeconds(5);
    static final Duration LONG = Duration.ofHours(6);
    static final Actor ANNA = new Actor("anna", "the broker is mended");

    EventBook book;
    private final List<StoreHarness.Tx> transactions = new ArrayList<>();
    private final List<RelaySession> sessions = new ArrayList<>();
    private StoreHarness harness;

    protected abstract StoreHarness newStore();

    @BeforeEach
    void openStore() {
        harness = newStore();
        book = new EventBook(harness::aggregateId);
    }

    @AfterEach
    void closeStore() {
        sessions.forEach(RelaySession::close);
        transactions.forEach(StoreHarness.Tx::rollback);
        sessions.clear();
        transactions.clear();
        harness.close();
    }

    StoreHarness harness() {
        return harness;
    }

    boolean keeps(StoredField field) {
        return harness.keeps().contains(field);
    }

    void assumeKeeps(StoredField field) {
        assumeTrue(keeps(field), "this store does not keep it: " + field);
    }

    String aggregateId(String name) {
        return harness.aggregateId(name);
    }

    StoreAdmin admin() {
        return harness.admin();
    }

    // ---- applications

    StoreHarness.Tx begin() {
        StoreHarness.Tx tx = harness.begin();
        transactions.add(tx);
        return tx;
    }

    /** Appends the named events in a separate transaction. */
    void append(String... names) {
        append(book.events(names));
    }

    void append(Event... events) {
        StoreHarness.Tx tx = begin();
        tx.append(events);
        tx.commit();
    }

    Event[] events(String... names) {
        return book.events(names);
    }

    String id(String name) {
        return book.id(name);
    }

    Selection ids(String... names) {
        return Selection.of(Stream.of(names).map(this::id).toList());
    }

    // ---- relays

    Courier relay() {
        return open(RELAY, ONE).orElseThrow(() -> new AssertionError("The lease is not free."));
    }

    Courier relay(RelayName relay) {
        return open(relay, ONE).orElseThrow(() -> new AssertionError("The lease of " + relay + " is not free."));
    }

    Optional<Courier> open(RelayName relay, OwnerId owner) {
        return open(harness.store(), relay, owner);
    }

    Optional<Courier> open(EventStore events, RelayName relay, OwnerId owner) {
        return events.open(relay, owner, LEASE).map(session -> {
            sessions.add(session);
            return new Courier(session, book);
        });
    }

    /** Drains in a separate session, which saves everything it settled. */
    List<String> drain(Map<String, Settlement> script) {
        try (Courier courier = relay()) {
            return courier.drain(script);
        }
    }

    List<String> drain() {
        return drain(Map.of());
    }

    Settlement.RetryAt retryIn(Duration wait) {
        return new Settlement.RetryAt(harness.clock().instant().plus(wait), "the broker said no");
    }

    static Settlement.Dead deadPassing() {
        return new Settlement.Dead("refused for good", true, false);
    }

    static Settlement.Dead deadHolding() {
        return new Settlement.Dead("refused for good", true, true);
    }

    void pass(Duration time) {
        harness.clock().advance(time);
    }

    // ---- deliveries

    /** Asserts that exactly these events arrived once each, in this order within each key if the store keeps order. */
    void expect(List<String> came, String... names) {
        assertThat(byKey(came)).isEqualTo(byKey(List.of(names)));
    }

    private Map<String, List<String>> byKey(List<String> names) {
        Map<String, List<String>> keys = new TreeMap<>();
        names.forEach(name -> keys.computeIfAbsent(EventBook.keyOf(name), key -> new ArrayList<>())
                .add(name));
        if (!harness.ordered()) {
            keys.values().forEach(list -> list.sort(null));
        }
        return keys;
    }

    // ---- administration

    RelayStatus status() {
        return status(RELAY);
    }

    RelayStatus status(RelayName relay) {
        return admin().relays().stream()
                .filter(status -> status.name().equals(relay.value()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("The store does not list the relay " + relay + "."));
    }

    List<String> parkedNames(ParkedQuery query) {
        return admin().parked(query).stream()
                .map(parked -> book.name(parked.eventId()))
                .toList();
    }

    ParkedEvent parked(String name) {
        return admin().parked(ParkedQuery.of(RELAY)).stream()
                .filter(parked -> parked.eventId().equals(id(name)))
                .findFirst()
                .orElseThrow(() -> new AssertionError("The event " + name + " is not parked."));
    }

    EventHistory.Entry entry(RelayName relay, String name) {
        EventHistory history =
                admin().show(id(name)).orElseThrow(() -> new AssertionError("No history of " + name + "."));
        return history.relays().stream()
                .filter(entry -> entry.relay().equals(relay.value()))
                .findFirst()
                .orElseThrow(() -> new AssertionError("No entry for " + relay + " about " + name + "."));
    }

    EventHistory.State state(String name) {
        return entry(RELAY, name).state();
    }
}
