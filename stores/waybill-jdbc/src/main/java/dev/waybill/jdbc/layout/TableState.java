package dev.waybill.jdbc.layout;

import java.util.Optional;
import java.util.regex.Pattern;

/** How a row of an outbox table says whether it is pending, published or dead. */
public sealed interface TableState {

    /** A boolean column: false is pending, true is published. Such a row cannot say that it is dead; our side table does. */
    record Flag() implements TableState {}

    /**
     * A column with one word for each state.
     *
     * @param dead the word for an event that was given up; without one our side table says it
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
     * The published time: null until the event is published. Where the layout counts attempts, a row with as many as
     * {@link TableLayout#maxAttempts()} is dead; else our side table says it.
     */
    record PublishedTime() implements TableState {}
}
