package dev.waybill.postgres;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedEvent;
import dev.waybill.admin.ParkedQuery;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.spi.Batch;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.RelaySession;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WindowSession;
import dev.waybill.tck.ManualClock;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Random;
import java.util.Set;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/**
 * Applications, operators and a relay of one journal, which do what a seed says. The relay commits events and its position into a
 * ledger, both or none: it is told about the commit, or it crashes before it is.
 */
final class LifeOfWindows implements AutoCloseable {
    private static final RelayName RELAY = new RelayName("relay");
    private static final OwnerId OWNER = new OwnerId("owner");
    private static final Actor OPERATOR = new Actor("me", "test");
    private static final Duration LEASE = Duration.ofMinutes(5);
    private static final List<String> KEYS = List.of("a", "b", "c");

    private final JournalDatabase database;
    private final Random random;
    private final boolean holds;
    private final ManualClock clock = new ManualClock();
    private final PostgresJournal journal;
    private final Map<Connection, List<String>> open = new LinkedHashMap<>();
    private final Set<String> appended = new TreeSet<>();
    private final Set<String> everDead = new HashSet<>();
    private final Set<String> discarded = new HashSet<>();
    private final List<String> story = new ArrayList<>();
    private int numbers;

    /** In some lives the database fails over, and loses its last commits. Then events may be repeated. */
    private final boolean losesCommits;

    private @Nullable Replica replica;
    private final Set<String> replicated = new TreeSet<>();
    private final Set<String> discardedThere = new HashSet<>();

    /** What the destination has: events in the order of their commits, and the position. */
    private final List<String> ledger = new ArrayList<>();

    private Optional<WindowPosition> committed = Optional.empty();

    private WindowSession session;
    private final List<WindowPage> pages = new ArrayList<>();

    LifeOfWindows(JournalDatabase database, long seed) {
        this.database = database;
        this.random = new Random(seed);
        this.holds = random.nextInt(3) == 0;
        this.losesCommits = random.nextInt(3) == 0;
        this.journal = PostgresJournal.on(
                database.dataSource(), JournalOptions.defaults().clock(clock));
        this.session = open();
    }

    private WindowSession open() {
        WindowSession opened = journal.openWindows(RELAY, OWNER, LEASE).orElseThrow();
        opened.resume(committed);
        pages.clear();
        return opened;
    }

    private void resume() {
        session.resume(committed);
        pages.clear();
    }

    void step() throws SQLException {
        switch (random.nextInt(18)) {
            case 0, 1, 2 -> append();
            case 3 -> begin();
            case 4 -> end();
            case 5, 6, 7, 8 -> read();
            case 9 -> giveUp();
            case 10, 11 -> commit(true);
            case 12 -> commit(false);
            case 13 -> takeOver();
            case 14 -> operate();
            case 15 -> publishAtLeastOnce();
            case 16 -> failOver();
            default -> passTime();
        }
    }

    // ---- applications

    private void append() throws SQLException {
        List<String> names = names(KEYS.get(random.nextInt(KEYS.size())));
        try (Connection writer = database.begin()) {
            JournalFixture.append(writer, names.toArray(String[]::new));
            writer.commit();
        }
        appended.addAll(names);
        story.add("append " + names);
    }

    private List<String> names(String key) {
        List<String> names = new ArrayList<>();
        for (int i = random.nextInt(4); i >= 0; i--) {
            names.add(key + ++numbers);
        }
        return names;
    }

    /** A transaction that ends later. Its events have no order with those of others. */
    private void begin() throws SQLException {
        Connection late = database.begin();
        List<String> names = names("late");
        JournalFixture.append(late, names.toArray(String[]::new));
        open.put(late, names);
        story.add("begin " + names);
    }

    private void end() throws SQLException {
        if (!open.isEmpty()) {
            end(open.keySet().iterator().next(), random.nextInt(4) > 0);
        }
    }

    private void end(Connection late, boolean commit) throws SQLException {
        List<String> names = open.remove(late);
        try (late) {
            if (commit) {
                late.commit();
                appended.addAll(names);
            } else {
                late.rollback();
            }
        }
        story.add((commit ? "commit " : "roll back ") + names);
    }

    // ---- the relay

    private void read() {
        session.read(new Limits(1 + random.nextInt(4), 1_000_000)).ifPresent(page -> {
            pages.add(page);
            story.add("read " + names(page.events()));
        });
    }

    private static List<String> names(List<StoredEvent> events) {
        return events.stream().map(event -> event.type().toString()).toList();
    }

    private void giveUp() {
        if (pages.isEmpty()) {
            return;
        }
        WindowPage page = pages.get(random.nextInt(pages.size()));
        StoredEvent event = page.events().get(random.nextInt(page.events().size()));
        boolean sent = random.nextBoolean();
        session.giveUp(List.of(event), List.of(new Settlement.Dead("never", sent, holds)));
        String name = event.type().toString();
        everDead.add(name);
        story.add("give up " + name + (sent ? ", sent" : ""));
        resume();
    }

    /** @param told whether the relay learns that it is committed; otherwise it takes over from itself */
    private void commit(boolean told) {
        if (pages.isEmpty()) {
            return;
        }
        int last = random.nextInt(pages.size());
        for (int i = 0; i < last; i++) {
            publish(pages.get(i).events());
        }
        WindowPage page = pages.get(last);
        int index = random.nextInt(page.events().size());
        publish(page.events().subList(0, index + 1));
        WindowPosition position = page.positionOf(index);
        committed = Optional.of(position);
        story.add("commit " + position + (told ? "" : ", crash"));
        if (!told) {
            crash();
            return;
        }
        session.committed(position);
        boolean whole = position.equals(page.end());
        pages.subList(0, whole ? last + 1 : last).clear();
        if (!whole) {
            resume();
        }
    }

    private void publish(List<StoredEvent> events) {
        events.forEach(event -> ledger.add(event.type().toString()));
    }

    /** The next session takes over before the last one ends, as after a crash. */
    private void crash() {
        WindowSession crashed = session;
        session = open();
        crashed.close();
    }

    private void takeOver() {
        if (random.nextBoolean()) {
            story.add("crash");
            crash();
        } else {
            story.add("restart");
            session.close();
            session = open();
        }
    }

    /** The other mode, from a clean stop to a clean stop. */
    private void publishAtLeastOnce() {
        session.close();
        try (RelaySession plain = journal.open(RELAY, OWNER, LEASE).orElseThrow()) {
            Optional<Batch> batch = plain.claim(new Limits(1 + random.nextInt(6), 1_000_000));
            batch.ifPresent(claimed -> {
                List<Settlement> settlements = new ArrayList<>();
                boolean failed = false;
                for (StoredEvent event : claimed.events()) {
                    if (failed) {
                        settlements.add(Settlement.RELEASED);
                    } else if (random.nextInt(8) == 0) {
                        settlements.add(new Settlement.Dead("never", true, holds));
                        everDead.add(event.type().toString());
                        failed = true;
                    } else {
                        settlements.add(Settlement.PUBLISHED);
                        ledger.add(event.type().toString());
                    }
                }
                plain.settle(claimed, settlements);
                story.add("at least once " + names(claimed.events()) + " as " + settlements);
            });
        }
        session = open();
    }

    /** First the replica stops, and the next time it is promoted. */
    private void failOver() throws SQLException {
        if (!losesCommits) {
            return;
        }
        Replica before = replica;
        if (before == null) {
            replica = Replica.stoppedNow(database);
            copy(appended, replicated);
            copy(discarded, discardedThere);
            story.add("the replica stops");
            return;
        }
        for (Connection late : List.copyOf(open.keySet())) {
            end(late, false);
        }
        before.promote();
        replica = null;
        copy(replicated, appended);
        copy(discardedThere, discarded);
        story.add("fail over");
        crash();
    }

    private static void copy(Set<String> from, Set<String> to) {
        to.clear();
        to.addAll(from);
    }

    // ---- operators and time

    private void operate() {
        List<String> dead = dead();
        if (dead.isEmpty()) {
            return;
        }
        if (random.nextInt(4) == 0) {
            List<ParkedEvent> events = journal.admin()
                    .parked(ParkedQuery.of(RELAY).in(ParkedState.DEAD).atMost(1));
            journal.admin().discard(RELAY, Selection.of(events.get(0).eventId()), OPERATOR);
            discarded.add(events.get(0).type());
            story.add("discard " + events.get(0).type());
        } else {
            journal.admin().requeue(RELAY, Selection.all(ParkedState.DEAD), OPERATOR);
            story.add("requeue " + dead);
        }
    }

    private List<String> dead() {
        return journal.admin().parked(ParkedQuery.of(RELAY).in(ParkedState.DEAD).atMost(1_000)).stream()
                .map(ParkedEvent::type)
                .toList();
    }

    private void passTime() {
        clock.advance(Duration.ofMillis(random.nextInt(400)));
        journal.purge(Duration.ZERO, 100);
        story.add("pass time");
    }

    // ---- the end

    /** Everything that is left is requeued and committed. */
    void drain() throws SQLException {
        for (Connection late : List.copyOf(open.keySet())) {
            end(late, true);
        }
        crash();
        for (int idle = 0; idle < 3; ) {
            Optional<WindowPage> page = session.read(new Limits(3, 1_000_000));
            if (page.isPresent()) {
                publish(page.get().events());
                committed = Optional.of(page.get().end());
                session.committed(page.get().end());
                story.add("drain " + names(page.get().events()));
            } else if (!dead().isEmpty()) {
                journal.admin().requeue(RELAY, Selection.all(ParkedState.DEAD), OPERATOR);
            } else {
                clock.advance(Duration.ofMillis(300));
                idle++;
            }
        }
    }

    int published() {
        return ledger.size();
    }

    List<String> problems() throws SQLException {
        List<String> problems = new ArrayList<>(losesCommits ? lost() : notOnceInOrder());
        if (database.number("select count(*) from waybill.parked") > 0) {
            problems.add("events stay parked: " + database.texts("select state from waybill.parked"));
        }
        return problems;
    }

    private List<String> lost() {
        return appended.stream()
                .filter(name -> !discarded.contains(name) && !ledger.contains(name))
                .map(name -> name + " is lost")
                .toList();
    }

    private List<String> notOnceInOrder() {
        List<String> problems = new ArrayList<>();
        for (String name : appended) {
            long times = ledger.stream().filter(name::equals).count();
            if (times != (discarded.contains(name) ? 0 : 1)) {
                problems.add(
                        name + " was committed " + times + " times" + (discarded.contains(name) ? ", discarded" : ""));
            }
        }
        ledger.stream().filter(name -> !appended.contains(name)).forEach(name -> problems.add(name + " is a ghost"));
        Map<String, Integer> highest = new HashMap<>();
        for (String name : ledger) {
            String key = name.replaceAll("[0-9]", "");
            int number = Integer.parseInt(name.substring(key.length()));
            boolean ordered = KEYS.contains(key) && (holds || !everDead.contains(name));
            if (ordered && highest.merge(key, number, Math::max) > number) {
                problems.add(name + " is out of order");
            }
        }
        return problems;
    }

    @Override
    public String toString() {
        return String.join("\n", story) + "\nledger " + ledger;
    }

    @Override
    public void close() throws SQLException {
        for (Connection late : List.copyOf(open.keySet())) {
            end(late, false);
        }
        session.close();
    }
}
