package dev.waybill.server.terminal;

import dev.waybill.admin.EventStory;
import java.util.Locale;

/** States of events, in words and colours. */
public final class States {
    private States() {}

    public static Cell cell(EventStory.State state) {
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
