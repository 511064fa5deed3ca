package dev.waybill.embedded;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process of a server of ours. It is noted in the server's directory, so that it is found when this JVM is killed. */
record ServerProcess(ProcessHandle handle) {
    private static final long END_SECONDS = 30;

    /** Starts a program whose words go to the directory's log. */
    static ServerProcess start(ServerDirectory directory, ProcessBuilder program) {
        try {
            Process process = program.redirectErrorStream(true)
                    .redirectOutput(Redirect.appendTo(directory.log().toFile()))
                    .redirectInput(Redirect.from(new File("/dev/null")))
                    .start();
            directory.note(process.toHandle());
            return new ServerProcess(process.toHandle());
        } catch (IOException e) {
            throw new EmbeddedServerException(
                    "The program " + program.command().get(0) + " could not be run: " + e.getMessage(), e);
        }
    }

    long pid() {
        return handle.pid();
    }

    /**
     * A child of ours is collected by this JVM when all its threads have let go of its ports. Another's that nobody collects,
     * as in a container without an init, stays listed when it has ended, but has no command line.
     */
    boolean isRunning() {
        return handle.isAlive() && (isOurChild() || handle.info().commandLine().isPresent());
    }

    private boolean isOurChild() {
        return handle.parent().equals(Optional.of(ProcessHandle.current()));
    }

    /** Lets it end by itself and returns when it is gone; kills it when that takes too long. */
    void end(String signal) {
        if (!isRunning()) {
            return;
        }
        Command.of("kill", "-" + signal, String.valueOf(pid())).exitCode();
        if (!endsInTime()) {
            kill();
        }
    }

    /** As a crash would end it; returns when it is gone. */
    void kill() {
        handle.destroyForcibly();
        if (!endsInTime()) {
            throw new EmbeddedServerException("Process " + pid() + " of a server did not end within " + END_SECONDS
                    + " s, not even when killed; end it by hand.");
        }
    }

    /** Waits through interrupts: a server left behind is worse than a late answer. */
    private boolean endsInTime() {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(END_SECONDS);
        while (isRunning()) {
            if (System.nanoTime() - deadline > 0) {
                return false;
            }
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(5));
        }
        return true;
    }
}
