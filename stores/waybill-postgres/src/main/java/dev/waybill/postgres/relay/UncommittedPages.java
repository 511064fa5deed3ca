package dev.waybill.postgres.relay;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPosition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;

/** Pages that a session has handed out, oldest first, up to the position that was committed last. */
final class UncommittedPages {
    private final Deque<JournalWindowPage> pages = new ArrayDeque<>();
    /** Events of the oldest page that are behind the committed position. */
    private int committedOfFirst;

    /**
     * What a commit has moved.
     *
     * @param reached where the journal is read on from behind the position
     * @param events how many events are behind the position now, and were not before
     * @param requeued seqs of parked events among them
     */
    record Committed(OpenWindow window, JournalPosition reached, int events, List<Long> requeued) {}

    boolean isEmpty() {
        return pages.isEmpty();
    }

    boolean hasRequeued() {
        return pages.stream().anyMatch(page -> page.window().ofParked());
    }

    void add(JournalWindowPage page) {
        pages.addLast(page);
    }

    /** Behind the last page there are no more events up to here. */
    void emptyUpTo(JournalPosition position) {
        pages.addLast(pages.removeLast().reaching(position));
    }

    void clear() {
        pages.clear();
        committedOfFirst = 0;
    }

    /**
     * The events of these pages that were parked before.
     *
     * @throws IllegalArgumentException if one is in no page
     */
    Set<StoredEvent> requeuedAmong(List<StoredEvent> events) {
        Set<StoredEvent> known = new HashSet<>();
        Set<StoredEvent> requeued = new HashSet<>();
        for (JournalWindowPage page : pages) {
            (page.window().ofParked() ? requeued : known).addAll(page.rows());
        }
        known.addAll(requeued);
        for (StoredEvent event : events) {
            if (!known.contains(event)) {
                throw new IllegalArgumentException("Event " + event.id() + " is in none of the " + pages.size()
                        + " pages that are not committed.");
            }
        }
        return requeued;
    }

    /** Changes nothing. */
    Committed upTo(WindowPosition position) {
        int events = -committedOfFirst;
        List<Long> requeued = new ArrayList<>();
        for (JournalWindowPage page : pages) {
            boolean holdsPosition = page.window().id().equals(position.window()) && position.seq() <= page.endSeq();
            for (JournalRow row : page.rows()) {
                if (!holdsPosition || row.seq <= position.seq()) {
                    events++;
                    if (page.window().ofParked()) {
                        requeued.add(row.seq);
                    }
                }
            }
            if (holdsPosition) {
                return new Committed(page.window(), reached(page, position), events, requeued);
            }
        }
        throw new IllegalArgumentException("Position " + position + " is in none of the " + pages.size()
                + " pages that are not committed: commit positions of pages that were read, in their order.");
    }

    private static JournalPosition reached(JournalWindowPage page, WindowPosition position) {
        return position.seq() < page.endSeq() ? page.window().behind(position.seq()) : page.reached();
    }

    /** Drops what is behind the position. */
    void committed(WindowPosition position) {
        for (JournalWindowPage page = pages.getFirst(); ; page = pages.getFirst()) {
            boolean holdsPosition = page.window().id().equals(position.window()) && position.seq() <= page.endSeq();
            if (holdsPosition && position.seq() < page.endSeq()) {
                committedOfFirst = (int) page.rows().stream()
                        .filter(row -> row.seq <= position.seq())
                        .count();
                return;
            }
            pages.removeFirst();
            committedOfFirst = 0;
            if (holdsPosition) {
                return;
            }
        }
    }
}
