package dev.waybill;

/** The inbox could not be read or written. Roll the transaction back; the event may be handled again. */
public class InboxException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public InboxException(String message) {
        super(message);
    }

    public InboxException(String message, Throwable cause) {
        super(message, cause);
    }
}
