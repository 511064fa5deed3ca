package dev.waybill;

/** Another consumer is handling the same event and has not finished. Try again soon. */
public final class InboxBusyException extends InboxException {
    private static final long serialVersionUID = 1L;

    public InboxBusyException(String message) {
        super(message);
    }
}
