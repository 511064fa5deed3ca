package dev.waybill.relay;

import dev.waybill.spi.Limits;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import dev.waybill.spi.transaction.WindowSession;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/**
 * Reads pages while earlier ones are sent and committed, as long as the store has more events, and tells the store of commits while
 * the next ones are sent. The session is used by one thread at a time: {@link #session} first waits for the other.
 */
final class ReadAhead implements AutoCloseable {
    private final WindowSession session;
    private final Executor reader;
    private final int most;
    private final Deque<WindowPage> pages = new ArrayDeque<>();
    private @Nullable CompletableFuture<Void> reading;
    private volatile boolean hold;

    /**
     * @param reader runs the reads
     * @param most pages that are read ahead
     */
    ReadAhead(WindowSession session, Executor reader, int most) {
        this.session = session;
        this.reader = reader;
        this.most = most;
    }

    Optional<WindowPage> next(Limits max) {
        @Nullable WindowPage page = poll();
        if (page == null) {
            page = session(open -> Optional.ofNullable(poll()).or(() -> open.read(max)))
                    .orElse(null);
        }
        if (page != null && !page.isLast() && (reading == null || reading.isDone())) {
            rethrow();
            reading = CompletableFuture.runAsync(() -> readOn(max), reader);
        }
        return Optional.ofNullable(page);
    }

    private void readOn(Limits max) {
        boolean more = true;
        while (more && !hold && size() < most) {
            Optional<WindowPage> page = session.read(max);
            page.ifPresent(this::add);
            more = page.isPresent() && !page.get().isLast();
        }
    }

    private @Nullable WindowPage poll() {
        synchronized (pages) {
            return pages.poll();
        }
    }

    private int size() {
        synchronized (pages) {
            return pages.size();
        }
    }

    private void add(WindowPage page) {
        synchronized (pages) {
            pages.addLast(page);
        }
    }

    /** The session follows after the page that is being read, while the caller goes on. If that fails, so does the next use. */
    void committed(WindowPosition position) {
        CompletableFuture<Void> before = reading;
        Runnable follow = () -> session.committed(position);
        reading = before == null ? CompletableFuture.runAsync(follow, reader) : before.thenRunAsync(follow, reader);
    }

    /** Uses the session while nothing is read. */
    <R> R session(Function<WindowSession, R> use) {
        hold = true;
        try {
            rethrow();
            return use.apply(session);
        } finally {
            hold = false;
        }
    }

    /** Waits for the read or the commit in progress. */
    private void rethrow() {
        CompletableFuture<Void> current = reading;
        reading = null;
        if (current != null) {
            ClaimAhead.join(current);
        }
    }

    /** The pages that were read ahead are void. */
    void forget() {
        session(open -> {
            synchronized (pages) {
                pages.clear();
            }
            return open;
        });
    }

    /** After this, no thread uses the session. */
    @Override
    public void close() {
        hold = true;
        if (reading != null) {
            reading.handle((unused, error) -> error == null).join();
        }
    }
}
