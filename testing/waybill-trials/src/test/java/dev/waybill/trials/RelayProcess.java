package dev.waybill.trials;

import dev.waybill.relay.Relay;
import dev.waybill.spi.Destination;
import java.io.IOException;

/** A process that runs a relay until SIGTERM, or until whoever started it is gone. */
final class RelayProcess {
    static final String RUNS = "trial: the relay runs";
    static final String ENDED = "trial: the relay has ended";

    private RelayProcess() {}

    public static void main(String... arguments) throws IOException {
        RelaySettings settings = RelaySettings.of(arguments);
        Destination destination = settings.destination();
        run(Relay.start(settings.plan(destination)), destination);
    }

    /** Until SIGTERM, or until whoever started this process is gone. */
    static void run(Relay relay, Destination destination) throws IOException {
        PeakHeap.watch();
        Runtime.getRuntime().addShutdownHook(new Thread(() -> end(relay, destination)));
        System.out.println(RUNS);
        while (System.in.read() >= 0) {
            // The parent says nothing; when it is gone so is the stream.
        }
        Runtime.getRuntime().halt(1);
    }

    private static void end(Relay relay, Destination destination) {
        relay.close();
        destination.close();
        System.out.println(ENDED + ", " + PeakHeap.inWords());
    }
}
