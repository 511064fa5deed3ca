package dev.waybill.bench.systems;

import dev.waybill.bench.kit.Shape;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What is drained, and beside what.
 *
 * @param events of a system that drains all of them; slow ones drain their share
 * @param longest a system that is not done by then is stopped, and measured by what has arrived
 * @param shape of the backlog, for systems that can vary it; null for the usual one
 * @param warmUp events that the system sends before the backlog is written, which it then finds while it runs; 0 if it is started
 *     when the backlog is there
 * @param openTransaction whether another transaction stays open from before the start to the end
 */
public record DrainPlan(
        int events, Duration longest, @Nullable Shape shape, int warmUp, boolean openTransaction) {
    private static final Duration LONGEST = Duration.ofSeconds(60);

    public static DrainPlan of(int events) {
        return new DrainPlan(events, LONGEST, null, 0, false);
    }

    public DrainPlan shape(Shape other) {
        return new DrainPlan(events, longest, other, warmUp, openTransaction);
    }

    public DrainPlan longest(Duration time) {
        return new DrainPlan(events, time, shape, warmUp, openTransaction);
    }

    public DrainPlan besideOpenTransaction() {
        return new DrainPlan(events, longest, shape, warmUp, true);
    }

    /** Of a system that runs already, and is paused while the backlog is written. */
    public DrainPlan running(int warmUpEvents) {
        return new DrainPlan(events, longest, shape, warmUpEvents, openTransaction);
    }

    int relays() {
        return shape == null ? 1 : shape.relays();
    }
}
