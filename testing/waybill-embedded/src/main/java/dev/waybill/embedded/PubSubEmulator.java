package dev.waybill.embedded;

import java.io.File;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/**
 * Google's Pub/Sub emulator, if it is installed, in its own process on a free loopback port. It keeps everything in memory, writes
 * no files, and ends when it is closed or when this JVM ends, even if killed.
 */
public final class PubSubEmulator implements AutoCloseable {
    private static final String MAIN_CLASS = "com.google.cloud.pubsub.testing.v1.Main";
    private static final int STARTS = 3;
    private static final Duration PATIENCE = Duration.ofSeconds(60);
    /** Its REST interface never releases the buffers of requests. */
    private static final String LEAKED = "4g";

    private final Process process;
    private final LastLines output;
    private final int port;
    private final AtExit closeAtExit = AtExit.run(this::end);

    private PubSubEmulator(Process process, int port) {
        this.process = process;
        this.port = port;
        this.output = LastLines.of(process);
    }

    public static boolean isInstalled() {
        return PubSubEmulatorJar.find().isPresent();
    }

    /** Empty if the emulator is not installed: see {@link PubSubEmulatorJar}. */
    public static Optional<PubSubEmulator> startIfInstalled() {
        return PubSubEmulatorJar.find().map(PubSubEmulator::start);
    }

    static PubSubEmulator start(Path jar) {
        for (int attempt = 1; ; attempt++) {
            PubSubEmulator emulator = launch(jar, FreePort.choose());
            try {
                emulator.awaitPort();
                return emulator;
            } catch (EmbeddedServerException e) {
                emulator.close();
                // Another process may have taken the port between its choice and its use.
                if (attempt == STARTS) {
                    throw e;
                }
            }
        }
    }

    /** Host and port for clients, without TLS and credentials. */
    public String address() {
        return InetAddress.getLoopbackAddress().getHostAddress() + ":" + port;
    }

    long pid() {
        return process.pid();
    }

    private static PubSubEmulator launch(Path jar, int port) {
        String classPath = jar + File.pathSeparator + EndWithParent.classPath();
        List<String> words = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx2g",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-XX:MaxDirectMemorySize=" + LEAKED,
                "-cp",
                classPath,
                EndWithParent.class.getName(),
                MAIN_CLASS,
                "--host=" + InetAddress.getLoopbackAddress().getHostAddress(),
                "--port=" + port);
        try {
            return new PubSubEmulator(
                    new ProcessBuilder(words).redirectErrorStream(true).start(), port);
        } catch (IOException e) {
            throw new EmbeddedServerException("The Pub/Sub emulator could not be run: " + e.getMessage(), e);
        }
    }

    private void awaitPort() {
        long deadline = System.nanoTime() + PATIENCE.toNanos();
        while (!listens()) {
            if (!process.isAlive() || System.nanoTime() - deadline > 0) {
                throw new EmbeddedServerException("The Pub/Sub emulator does not listen on " + address()
                        + ". The last lines of its output:" + System.lineSeparator() + output);
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
        }
    }

    private boolean listens() {
        try (Socket socket = new Socket()) {
            socket.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
            return true;
        } catch (IOException notYet) {
            return false;
        }
    }

    @Override
    public void close() {
        end();
        closeAtExit.cancel();
    }

    /** Kills it, because it holds nothing durable. Waits through interrupts, so that no process remains. */
    private void end() {
        process.destroyForcibly();
        process.onExit().join();
    }
}
