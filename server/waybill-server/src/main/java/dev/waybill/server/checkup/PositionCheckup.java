package dev.waybill.server.checkup;

import dev.waybill.RelayName;
import dev.waybill.admin.Finding;
import dev.waybill.admin.PositionAdmin;
import dev.waybill.admin.PositionsCheckup;
import dev.waybill.spi.DestinationUnavailableException;
import dev.waybill.spi.StoreException;
import java.util.Optional;

/** Finding about the position that a relay's destination has committed, for the doctor. */
final class PositionCheckup {
    private static final String POSITION = "position";
    private static final String REPEATS =
            "When the relay starts, it continues from the position that its store has, and publishes again what was published since."
                    + " To avoid that, ";

    private PositionCheckup() {}

    static Finding of(RelayName relay, PositionAdmin store, PositionsCheckup destination) {
        try {
            Optional<String> committed = destination.position(store.writerId(relay));
            String shown = committed.orElse("none");
            return switch (store.compare(relay, committed)) {
                case NONE -> Finding.fine(POSITION, "none is committed at the destination yet");
                case SAME -> Finding.fine(POSITION, "the destination and the store have the same: " + shown);
                case AHEAD ->
                    Finding.fine(
                            POSITION,
                            "the destination has " + shown + ", which is ahead of the store: the store follows");
                case BEHIND ->
                    Finding.problem(
                            POSITION,
                            "the destination has " + shown + ", which is behind the one that the store has recorded",
                            "The destination has lost commits, and probably messages with them: look for a broker that lost data,"
                                    + " and replay what is missing with waybill replay.");
                case LOST ->
                    Finding.problem(
                            POSITION,
                            "the destination has none, and the store has recorded one",
                            REPEATS + "restore the topic of positions before the relay starts.");
                case UNKNOWN ->
                    Finding.problem(
                            POSITION,
                            "the destination has " + shown + ", whose window the store does not know",
                            REPEATS
                                    + "check that this is the right database: after a failover or a restore that lost the"
                                    + " window, repeats cannot be avoided.");
            };
        } catch (DestinationUnavailableException | StoreException e) {
            return Finding.warning(
                    POSITION,
                    "it cannot be compared: " + e.getMessage(),
                    "Start the broker and the database, or grant Read on the topic of positions; then run doctor again.");
        }
    }
}
