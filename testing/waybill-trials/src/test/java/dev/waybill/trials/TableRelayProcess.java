package dev.waybill.trials;

import dev.waybill.spi.Destination;
import java.io.IOException;

/** A process that competes with others for the rows of a table. */
final class TableRelayProcess {
    private TableRelayProcess() {}

    public static void main(String... arguments) throws IOException {
        TableRelaySettings settings = TableRelaySettings.of(arguments);
        Destination destination = settings.destination();
        RelayProcess.run(settings.plan(destination).start(), destination);
    }
}
