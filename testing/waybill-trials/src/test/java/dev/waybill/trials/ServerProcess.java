package dev.waybill.trials;

import dev.waybill.server.cli.WaybillCommand;
import java.io.IOException;

/** The server process, which here also ends with its parent process. */
final class ServerProcess {
    private ServerProcess() {}

    public static void main(String... arguments) {
        // Both are on the class path of trials; the server ships with this one.
        System.setProperty("slf4j.provider", "ch.qos.logback.classic.spi.LogbackServiceProvider");
        System.setProperty("slf4j.internal.verbosity", "WARN");
        Thread watch = new Thread(ServerProcess::endWithParent);
        watch.setDaemon(true);
        watch.start();
        WaybillCommand.main(arguments);
    }

    private static void endWithParent() {
        try {
            while (System.in.read() >= 0) {
                // The parent writes nothing; the stream ends when the parent ends.
            }
        } catch (IOException e) {
            // Equivalent to the end of the stream.
        }
        Runtime.getRuntime().halt(1);
    }
}
