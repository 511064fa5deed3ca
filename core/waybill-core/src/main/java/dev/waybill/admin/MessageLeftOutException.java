package dev.waybill.admin;

/** A dead letter cannot be sent back: its message did not fit into it, at least not with its headers, and is not where it stood any more. The letter stays. */
public final class MessageLeftOutException extends LetterStaysException {
    private static final long serialVersionUID = 1L;

    /**
     * @param why the message cannot be had from its place
     */
    public MessageLeftOutException(DeadLetterEntry letter, String messagePlace, String why) {
        super("The dead letter " + letter.place() + " cannot be sent back: its message of " + letter.bytes()
                + " bytes did not fit into it as a whole, and " + why + ". It stood at " + messagePlace
                + ": have the event sent again by whoever published it, then discard the letter.");
    }
}
