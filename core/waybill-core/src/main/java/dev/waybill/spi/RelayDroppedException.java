package dev.waybill.spi;

/** The relay was dropped, and is not opened until it is restored. */
public final class RelayDroppedException extends StoreRefusedException {
    private static final long serialVersionUID = 1L;

    private final String who;
    private final String why;

    public RelayDroppedException(String message, String who, String why) {
        super(message);
        this.who = who;
        this.why = why;
    }

    /** Who dropped it. */
    public String who() {
        return who;
    }

    /** The reason they gave. */
    public String why() {
        return why;
    }
}
