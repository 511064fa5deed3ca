package dev.waybill.admin;

/** Letters are not listed, because the broker may give up a letter that is read once more. All are kept. */
public final class LettersWornException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /** @param message why, and what to do */
    public LettersWornException(String message) {
        super(message);
    }
}
