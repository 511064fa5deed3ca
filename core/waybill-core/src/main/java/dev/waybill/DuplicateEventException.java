package dev.waybill;

/** An event with the same id is already in the outbox. */
public final class DuplicateEventException extends AppendException {
    private static final long serialVersionUID = 1L;

    public DuplicateEventException(String message, Throwable cause) {
        super(message, cause);
    }

    public DuplicateEventException(String message) {
        super(message);
    }
}
