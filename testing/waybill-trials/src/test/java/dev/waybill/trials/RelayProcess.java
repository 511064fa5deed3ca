package dev.waybill.trials;

import dev.waybill.relay.Relay;
import dev.waybill.spi.Destination;
import java.io.IOException;

/** A process that runs a relay until SIGTERM, or until its parent process ends. */
final class RelayProcess {
    static final String RUNS = "trial: the relay runs";
    static final String ENDED = "trial: the relay has ended";

    private RelayProcess() {}

    public static void main(String... arguments) throws IOException {
        RelaySettings settings = RelaySettings.of(arguments);
        Destination destination = settings.destination();
        run(settings.plan(destination).start(), destination);
    }

    /** Waits until SIGTERM, or until the parent process ends. */
    static void run(Relay relay, Destination destination) throws IOException {
        PeakHeap.watch();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(relay, destination)));
        System.out.println(RUNS);
        while (System.in.read() >= 0) {
            // The parent writes nothing; the stream ends when the parent ends.
        }
        Runtime.getRuntime().halt(1);
    }

    private static void end(Relay relay, Destination destination) {
        relay.close();
        destination.close();
        System.out.println(ENDED + ", " + PeakHeap.inWords());
    }
}
