package dev.waybill.postgres.relay;

import dev.waybill.admin.Actor;
import dev.waybill.admin.ParkedState;
import dev.waybill.admin.Selection;
import dev.waybill.postgres.JournalFixture;
import dev.waybill.spi.Limits;
import dev.waybill.spi.OwnerId;
import dev.waybill.spi.Settlement;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WindowSession;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;

/** Sessions whose position is committed elsewhere: the variable {@code committed} is that place. */
abstract class WindowsFixture extends JournalFixture {
    static final Limits TWO = new Limits(2, 1_000_000);
    static final Settlement.Dead DEAD = new Settlement.Dead("never", true, false);
    static final Settlement.Dead HOLDING = new Settlement.Dead("never", true, true);

    private final List<WindowSession> opened = new ArrayList<>();
    Optional<WindowPosition> committed = Optional.empty();

    @AfterEach
    void closeSessions() {
        opened.forEach(WindowSession::close);
        opened.clear();
        committed = Optional.empty();
    }

    final WindowSession session() {
        return session(OWNER);
    }

    final WindowSession session(OwnerId owner) {
        WindowSession session =
                journal().openWindows(RELAY, owner, LEASE).orElseThrow(() -> new AssertionError("no lease"));
        opened.add(session);
        return session;
    }

    final WindowSession resumed() {
        WindowSession session = session();
        session.resume(committed);
        return session;
    }

    final void commit(WindowSession session, WindowPosition position) {
        committed = Optional.of(position);
        session.committed(position);
    }

    final List<String> publish(WindowSession session) {
        return publish(session, PLENTY);
    }

    /** Reads and commits everything. */
    final List<String> publish(WindowSession session, Limits limits) {
        List<String> published = new ArrayList<>();
        for (Optional<WindowPage> page = session.read(limits); page.isPresent(); page = session.read(limits)) {
            published.addAll(names(page.get()));
            commit(session, page.get().end());
        }
        return published;
    }

    static List<String> names(WindowPage page) {
        return page.events().stream().map(event -> event.type().toString()).toList();
    }

    static StoredEvent event(WindowPage page, String name) {
        return page.events().stream()
                .filter(event -> event.type().toString().equals(name))
                .findFirst()
                .orElseThrow();
    }

    final void kill(WindowSession session, String... names) throws SQLException {
        append(names);
        WindowPage page = session.read(PLENTY).orElseThrow();
        session.giveUp(page.events(), page.events().stream().map(event -> DEAD).toList());
        session.resume(committed);
        publish(session);
    }

    final void requeueDead() {
        journal().admin().requeue(RELAY, Selection.all(ParkedState.DEAD), new Actor("me", "test"));
    }

    final void requeue(StoredEvent event) {
        journal().admin().requeue(RELAY, Selection.of(event.id().toString()), new Actor("me", "test"));
    }

    final void discardDead() {
        journal().admin().discard(RELAY, Selection.all(ParkedState.DEAD), new Actor("me", "test"));
    }
}
