package dev.waybill.relay;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spi.Limits;
import dev.waybill.spi.StoreException;
import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

class ReadAheadTest {
    private static final Limits ONE = new Limits(1, 1_000_000);

    private final WindowsInMemory store = new WindowsInMemory();
    private final Deque<Runnable> tasks = new ArrayDeque<>();
    private final WindowSession session = store.session();
    private final ReadAhead pages = new ReadAhead(session, tasks::add, 2);

    private List<String> next() {
        Optional<WindowPage> page = pages.next(ONE);
        return page.map(WindowPage::events).orElse(List.of()).stream()
                .map(WindowsInMemory::name)
                .toList();
    }

    private void runTasks() {
        while (!tasks.isEmpty()) {
            tasks.poll().run();
        }
    }

    private List<String> unread() {
        return session.read(new Limits(100, 1_000_000)).map(WindowPage::events).orElse(List.of()).stream()
                .map((StoredEvent event) -> WindowsInMemory.name(event))
                .toList();
    }

    @Test
    void while_there_are_more_pages_some_are_read_ahead() {
        store.append("a1", "a2", "a3", "a4", "a5");
        assertThat(next()).containsExactly("a1");
        runTasks();
        assertThat(unread()).as("two pages were read ahead").containsExactly("a4", "a5");
        assertThat(next()).containsExactly("a2");
        assertThat(next()).containsExactly("a3");
    }

    @Test
    void after_the_last_page_nothing_is_read_until_it_is_asked_for() {
        store.append("a1");
        assertThat(next()).containsExactly("a1");
        assertThat(tasks).isEmpty();
        store.append("a2");
        assertThat(next()).containsExactly("a2");
    }

    @Test
    void pages_that_were_read_ahead_are_forgotten() {
        store.append("a1", "a2", "a3");
        assertThat(next()).containsExactly("a1");
        runTasks();
        pages.forget();
        pages.session(open -> open.resume(Optional.empty()));
        assertThat(next()).containsExactly("a1");
    }

    @Test
    void the_store_follows_a_commit_after_the_page_that_is_being_read_and_before_the_next_use() {
        store.append("a1", "a2", "a3");
        WindowPage first = pages.next(ONE).orElseThrow();
        pages.committed(first.end());
        assertThat(store.known()).isZero();
        tasks.poll().run();
        assertThat(next()).as("was read ahead").containsExactly("a2");
        assertThat(store.known()).isZero();
        runTasks();
        assertThat(store.known()).isEqualTo(1);
        assertThat(next()).containsExactly("a3");
    }

    @Test
    void a_failure_while_reading_ahead_is_thrown_by_the_next_use_of_the_session() {
        store.append("a1", "a2");
        WindowSession failing = store.failingAfter(1);
        try (ReadAhead ahead = new ReadAhead(failing, Runnable::run, 2)) {
            assertThat(ahead.next(ONE)).isPresent();
            assertThatThrownBy(() -> ahead.session(WindowSession::origin)).isInstanceOf(StoreException.class);
        }
    }
}
