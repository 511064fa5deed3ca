package dev.waybill.jdbc.layout;

import java.util.Optional;
import java.util.regex.Pattern;

/** How a row of an outbox table represents whether it is pending, published or dead. */
public sealed interface TableState {

    /** A boolean column: false is pending, true is published. Dead events are recorded in the side table. */
    record Flag() implements TableState {}

    /**
     * A column with one word for each state.
     *
     * @param dead the word for a dead event; if absent, the side table records it
     */
    record Words(String pending, String published, Optional<String> dead) implements TableState {
        private static final Pattern WORD = Pattern.compile("[A-Za-z0-9_-]{1,50}");

        public Words {
            require(pending);
            require(published);
            dead.ifPresent(Words::require);
            if (pending.equals(published)
                    || dead.filter(word -> word.equals(pending) || word.equals(published))
                            .isPresent()) {
                throw new IllegalArgumentException("The words for pending (" + pending + "), published (" + published
                        + ") and dead (" + dead.orElse("none") + ") must differ.");
            }
        }

        private static void require(String word) {
            if (!WORD.matcher(word).matches()) {
                throw new IllegalArgumentException("\"" + word
                        + "\" cannot be a status word: use 1 to 50 letters, digits, underscores and hyphens.");
            }
        }
    }

    /**
     * The published time: null until the event is published. If the layout has an attempts column, a row with {@link
     * TableLayout#maxAttempts()} attempts is dead; otherwise the side table records it.
     */
    record PublishedTime() implements TableState {}

    /**
     * No column: every row of the table is pending, because published rows are deleted ({@link TableLayout.Published#DELETE}).
     * Dead events are recorded in the side table.
     */
    record Presence() implements TableState {}
}
