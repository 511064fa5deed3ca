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
    /** Dead events of these pages. */
    private final Set<Long> givenUp = new HashSet<>();

    /**
     * What a commit has moved.
     *
     * @param reached where the journal is read on from behind the position
     * @param events how many events are behind the position now, and were not before
     * @param published how many of them were not given up
     * @param requeued seqs of parked events among the published ones
     */
    record Committed(OpenWindow window, JournalPosition reached, int events, int published, List<Long> requeued) {}

    boolean isEmpty() {
        return pages.isEmpty();
    }

    boolean hasRequeued() {
        return pages.stream().anyMatch(page -> !page.window().requeued().isEmpty());
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
        givenUp.clear();
        committedOfFirst = 0;
    }

    void requireHandedOut(StoredEvent event) {
        boolean known = pages.stream().anyMatch(page -> page.rows().contains(event));
        if (!known) {
            throw new IllegalArgumentException(
                    "Event " + event.id() + " is in none of the " + pages.size() + " pages that are not committed.");
        }
    }

    boolean isRequeued(JournalRow row) {
        return pages.stream()
                .anyMatch(page ->
                        page.rows().contains(row) && !page.window().requeued().isEmpty());
    }

    void giveUp(JournalRow row) {
        givenUp.add(row.seq);
    }

    /** Changes nothing. */
    Committed upTo(WindowPosition position) {
        int events = -committedOfFirst;
        int published = -committedOfFirst;
        List<Long> requeued = new ArrayList<>();
        for (JournalWindowPage page : pages) {
            boolean holdsPosition = page.window().id().equals(position.window()) && position.seq() <= page.endSeq();
            for (JournalRow row : page.rows()) {
                if (!holdsPosition || row.seq <= position.seq()) {
                    boolean dead = givenUp.contains(row.seq);
                    events++;
                    published += dead ? 0 : 1;
                    if (!dead && !page.window().requeued().isEmpty()) {
                        requeued.add(row.seq);
                    }
                }
            }
            if (holdsPosition) {
                return new Committed(page.window(), reached(page, position), events, published, requeued);
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
            page.rows().forEach(row -> givenUp.remove(row.seq));
            committedOfFirst = 0;
            if (holdsPosition) {
                return;
            }
        }
    }
}
