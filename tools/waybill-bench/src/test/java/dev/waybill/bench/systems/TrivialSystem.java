package dev.waybill.bench.systems;

import dev.waybill.bench.kit.BenchSystem;
import dev.waybill.bench.kit.SystemProcess;
import java.io.IOException;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.locks.LockSupport;

/** A process that appends nothing, or fails when it is asked to (always or once), or does not start. Its first argument says which. */
record TrivialSystem(String behaviour, Path marker) implements BenchSystem {
    public static void main(String[] arguments) throws IOException {
        SystemProcess.run(Arrays.copyOfRange(arguments, 1, arguments.length), endpoints -> {
            if (arguments[0].equals("does-not-start")) {
                throw new IllegalStateException("no such\ndriver");
            }
            System.out.println("what a framework prints");
            return new TrivialSystem(
                    arguments[0], endpoints.producerProperties().resolveSibling("failed"));
        });
    }

    @Override
    public String description() {
        return "settings of " + behaviour;
    }

    @Override
    public void prepare(int events) throws IOException {
        // Its process ends after a failure; a file in the folder of the run tells the next one.
        if (behaviour.equals("fails")
                || (behaviour.equals("fails-once") && marker.toFile().createNewFile())) {
            throw new IllegalStateException("out of order");
        }
    }

    @Override
    public void start(String topic) {}

    @Override
    public void stop() {}

    @Override
    public Optional<String> outbox() {
        return Optional.empty();
    }

    @Override
    public Appender appender() {
        return new Appender() {
            @Override
            public void append(long number) {
                LockSupport.parkNanos(1_000_000);
            }

            @Override
            public void close() {}
        };
    }

    @Override
    public void close() {}
}
