package dev.waybill.server.terminal;

import dev.waybill.admin.EventHistory;
import java.util.Locale;

/** States of events, in words and colours. */
public final class States {
    private States() {}

    public static Cell cell(EventHistory.State state) {
        Tone tone = switch (state) {
            case PUBLISHED -> Tone.GOOD;
            case PENDING -> Tone.PLAIN;
            case PARKED -> Tone.WARN;
            case DEAD -> Tone.BAD;
            case DISCARDED -> Tone.FAINT;
        };
        return new Cell(state.name().toLowerCase(Locale.ROOT), tone);
    }
}
