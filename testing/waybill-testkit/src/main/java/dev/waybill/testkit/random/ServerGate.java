package dev.waybill.testkit.random;

/** Lets threads whose connection was lost wait until the server is available again. */
public final class ServerGate {
    private static final long WAIT_MILLIS = 120_000;

    private final boolean crashesExpected;
    private int generation;

    private ServerGate(boolean crashesExpected) {
        this.crashesExpected = crashesExpected;
    }

    /** For a server that stays up: a lost connection is a failure. */
    public static ServerGate alwaysUp() {
        return new ServerGate(false);
    }

    static ServerGate withCrashes() {
        return new ServerGate(true);
    }

    /** Number of times the server has restarted. */
    synchronized int generation() {
        return generation;
    }

    synchronized void serverIsBack() {
        generation++;
        notifyAll();
    }

    /** Waits for the restart after the given generation, which was lost with the given failure. */
    synchronized void awaitAfter(int lost, Exception failure) {
        if (!crashesExpected) {
            throw new IllegalStateException("The server stopped, although this run keeps it up.", failure);
        }
        long deadline = System.nanoTime() + WAIT_MILLIS * 1_000_000;
        while (generation <= lost) {
            long left = (deadline - System.nanoTime()) / 1_000_000;
            if (left <= 0) {
                throw new IllegalStateException("The server did not restart in " + WAIT_MILLIS + " ms.", failure);
            }
            try {
                wait(left);
            } catch (InterruptedException e) {
                Thread.currentThread().interrupt();
                throw new IllegalStateException("Interrupted while the server was down.", failure);
            }
        }
    }
}
