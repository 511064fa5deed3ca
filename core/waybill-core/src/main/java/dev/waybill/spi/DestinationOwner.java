package dev.waybill.spi;

import java.util.IdentityHashMap;

/**
 * The user of a destination in this process: a relay, a replay, or a consumer for its dead letters. A destination has one owner
 * at a time, because {@link Destination#abort()} cancels everything in flight, and {@link Seen} refers to one user only. Safe for
 * use by many threads.
 */
public final class DestinationOwner implements AutoCloseable {
    private static final IdentityHashMap<Destination, DestinationOwner> OWNERS = new IdentityHashMap<>();

    private final Destination destination;
    private final String name;

    private DestinationOwner(Destination destination, String name) {
        this.destination = destination;
        this.name = name;
    }

    /**
     * @param name of the owner, for error messages
     * @throws IllegalStateException if the destination has another owner
     */
    public static DestinationOwner take(Destination destination, String name) {
        DestinationOwner owner = new DestinationOwner(destination, name);
        synchronized (OWNERS) {
            DestinationOwner other = OWNERS.putIfAbsent(destination, owner);
            if (other != null) {
                throw new IllegalStateException("The destination of " + name + " (a "
                        + destination.getClass().getSimpleName() + ") is in use by " + other.name
                        + ": when one of them stops, it aborts the other's messages in flight. Give each a destination of its"
                        + " own.");
            }
        }
        return owner;
    }

    /** Releases the destination. Idempotent. */
    @Override
    public void close() {
        synchronized (OWNERS) {
            OWNERS.remove(destination, this);
        }
    }
}
