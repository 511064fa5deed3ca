package dev.waybill.bench.kit;

/** A system that can be measured while it runs: it is started and paused, then gets a backlog, then is resumed. */
public interface PausableSystem extends VariedSystem {
    /** Sends nothing that is added from now on, but keeps its connections. */
    void pause() throws Exception;

    /** Adds events to those that are prepared, while it is paused. */
    void add(int events) throws Exception;

    /** Returns at once, not when it has sent something. */
    void resume() throws Exception;
}
