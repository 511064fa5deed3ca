package dev.waybill.tck.faults;

/** An exception whose own methods throw. */
public final class HostileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    @Override
    public String getMessage() {
        throw new InjectedError("getMessage");
    }

    @Override
    public String toString() {
        throw new IllegalStateException("no text");
    }
}
