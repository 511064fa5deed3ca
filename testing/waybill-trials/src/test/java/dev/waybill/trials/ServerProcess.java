package dev.waybill.trials;

import dev.waybill.server.cli.WaybillCommand;
import java.io.IOException;

/** The process that people run, which here also ends when whoever started it is gone. */
final class ServerProcess {
    private ServerProcess() {}

    public static void main(String... arguments) {
        // Both are on the class path of trials; this is the one that the server ships with.
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
                // The parent says nothing; when it is gone so is the stream.
            }
        } catch (IOException e) {
            // As good as the end.
        }
        Runtime.getRuntime().halt(1);
    }
}
