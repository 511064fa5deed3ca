package dev.waybill.postgres.relay;

import dev.waybill.spi.StoredEvent;
import dev.waybill.spi.transaction.WindowPage;
import dev.waybill.spi.transaction.WindowPosition;
import java.util.Collections;
import java.util.List;

/**
 * A page of a saved window.
 *
 * @param rows never empty
 * @param endSeq behind the last row, and behind events after it that are not published
 * @param reached where the journal is read on from behind the page
 * @param isLast whether nothing more was there to read
 */
record JournalWindowPage(OpenWindow window, List<JournalRow> rows, long endSeq, JournalPosition reached, boolean isLast)
        implements WindowPage {

    @Override
    public List<StoredEvent> events() {
        return Collections.unmodifiableList(rows);
    }

    @Override
    public WindowPosition positionOf(int index) {
        return index == rows.size() - 1 ? end() : window.at(rows.get(index).seq);
    }

    @Override
    public WindowPosition end() {
        return window.at(endSeq);
    }

    /** The same page, with nothing behind it up to this position. */
    JournalWindowPage reaching(JournalPosition position) {
        return new JournalWindowPage(window, rows, endSeq, position, isLast);
    }
}
