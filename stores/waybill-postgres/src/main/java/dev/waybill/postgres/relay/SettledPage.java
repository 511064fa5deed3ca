package dev.waybill.postgres.relay;

import dev.waybill.spi.Settlement;
import java.util.ArrayList;
import java.util.List;

/**
 * The result of a page's settlements.
 *
 * @param position of the relay once they are written
 * @param settled how many events of the page are settled
 * @param parkedRows events to park, each with its settlement in {@code parkedAs}
 */
record SettledPage(
        JournalPosition position,
        PositionSaver.Settled settled,
        List<JournalRow> parkedRows,
        List<Settlement> parkedAs) {

    /** @param end position of the relay if the whole page is settled */
    static SettledPage of(JournalBatch.Fresh page, List<Settlement> settlements, JournalPosition end) {
        int firstReleased = settlements.indexOf(Settlement.RELEASED);
        boolean whole = firstReleased < 0;
        int events = whole ? page.rows().size() : firstReleased;
        long before = whole ? Long.MAX_VALUE : page.rows().get(firstReleased).seq;
        List<JournalRow> parkedRows = new ArrayList<>();
        List<Settlement> parkedAs = new ArrayList<>();
        for (int i = 0; i < events; i++) {
            if (Parking.parks(settlements.get(i))) {
                parkedRows.add(page.rows().get(i));
                parkedAs.add(settlements.get(i));
            }
        }
        for (JournalRow event : page.behind()) {
            if (event.seq < before) {
                parkedRows.add(event);
                parkedAs.add(Settlement.BEHIND);
            }
        }
        PositionSaver.Settled settled = new PositionSaver.Settled(events, SentCount.published(settlements));
        return new SettledPage(whole ? end : page.start().at(before - 1), settled, parkedRows, parkedAs);
    }

    boolean parks() {
        return !parkedRows.isEmpty();
    }
}
