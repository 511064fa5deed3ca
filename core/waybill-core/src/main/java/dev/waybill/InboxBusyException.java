package dev.waybill;

/** Another is at work on the same event and has not finished: it is neither handled nor a duplicate yet. Try again soon. */
public final class InboxBusyException extends InboxException {
    private static final long serialVersionUID = 1L;

    public InboxBusyException(String message) {
        super(message);
    }
}
