package dev.waybill.trials;

import dev.waybill.Transactions;
import dev.waybill.inbox.EventHandler;
import java.io.IOException;
import java.util.concurrent.atomic.AtomicInteger;

/** Lets a consumer's process send SIGKILL to itself at a certain point. */
final class KillSelf {
    private KillSelf() {}

    /** Right after this many commits, before anything more is acknowledged. */
    static <T> Transactions<T> afterCommits(int commits, Transactions<T> transactions) {
        AtomicInteger left = new AtomicInteger(commits);
        return new Transactions<>() {
            @Override
            public <R, E extends Exception> R call(Work<T, R, E> work) throws E {
                R result = transactions.call(work);
                if (left.decrementAndGet() <= 0) {
                    now();
                }
                return result;
            }
        };
    }

    /** After this many effects, before the transaction of the last one is committed. */
    static <T> EventHandler<T> inHandler(int effects, EventHandler<T> handler) {
        AtomicInteger left = new AtomicInteger(effects);
        return (transaction, event) -> {
            handler.handle(transaction, event);
            if (left.decrementAndGet() <= 0) {
                now();
            }
        };
    }

    private static void now() {
        try {
            new ProcessBuilder(
                            "kill",
                            "-KILL",
                            Long.toString(ProcessHandle.current().pid()))
                    .start()
                    .waitFor();
        } catch (IOException | InterruptedException e) {
            Runtime.getRuntime().halt(137);
        }
    }
}
