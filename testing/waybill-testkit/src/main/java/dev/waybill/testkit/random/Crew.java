package dev.waybill.testkit.random;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;

/** The threads of a run; all have ended when this is closed. */
public final class Crew implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    private final Scene scene;
    private final ExecutorService threads = Executors.newCachedThreadPool();
    private final List<Future<?>> writers = new ArrayList<>();

    Crew(Scene scene) {
        this.scene = scene;
    }

    <T> Future<T> run(Callable<T> task) {
        return threads.submit(task);
    }

    void startWriting() {
        for (int number = 0; number < scene.load().writers(); number++) {
            writers.add(run(new WriteUntilStopped(scene, number)));
        }
        for (KeepLongTransactions keeper : TestDatabase.keepers(scene)) {
            writers.add(run(keeper));
        }
    }

    /** Returns when every transaction has ended. */
    void endWriting() throws InterruptedException {
        scene.stopWriting();
        for (Future<?> writer : writers) {
            resultOf(writer);
        }
    }

    public static <T> T resultOf(Future<T> task) throws InterruptedException {
        try {
            return task.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (ExecutionException e) {
            throw new IllegalStateException("A thread of the run failed.", e.getCause());
        } catch (TimeoutException e) {
            throw new IllegalStateException("A thread of the run did not end in " + PATIENCE_SECONDS + " s.", e);
        }
    }

    @Override
    public void close() {
        scene.stopWriting();
        threads.shutdownNow();
        try {
            if (!threads.awaitTermination(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
                throw new IllegalStateException("Threads of the run did not end in " + PATIENCE_SECONDS + " s.");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
