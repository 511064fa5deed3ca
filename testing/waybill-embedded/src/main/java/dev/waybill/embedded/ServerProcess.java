package dev.waybill.embedded;

import java.io.File;
import java.io.IOException;
import java.lang.ProcessBuilder.Redirect;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;

/** A process of a server. It is recorded in the server's directory, so that it is found if this JVM is killed. */
record ServerProcess(ProcessHandle handle) {
    private static final long END_SECONDS = 30;

    /** Starts a program with its output in the directory's log. */
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
     * A child of this JVM is reaped when all its threads have released its ports. A process of another parent that is not reaped,
     * as in a container without an init, stays listed after its end, but has no command line.
     */
    boolean isRunning() {
        return handle.isAlive() && (isOurChild() || handle.info().commandLine().isPresent());
    }

    private boolean isOurChild() {
        return handle.parent().equals(Optional.of(ProcessHandle.current()));
    }

    /** Terminates it and returns when it has ended; kills it if that takes too long. */
    void end(String signal) {
        if (!isRunning()) {
            return;
        }
        Command.of("kill", "-" + signal, String.valueOf(pid())).exitCode();
        if (!endsInTime()) {
            kill();
        }
    }

    /** Kills it; returns when it has ended. */
    void kill() {
        handle.destroyForcibly();
        if (!endsInTime()) {
            throw new EmbeddedServerException("Process " + pid() + " of a server did not end within " + END_SECONDS
                    + " s after it was killed; end it manually.");
        }
    }

    /** Waits through interrupts, because a server that remains is worse than a late answer. */
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
