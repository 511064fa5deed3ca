package dev.waybill.admin;

/** A dead letter cannot be sent back: its message did not fit into it and is no longer at its origin. The letter is kept. */
public final class MessageLeftOutException extends LetterStaysException {
    private static final long serialVersionUID = 1L;

    /**
     * @param why the message cannot be read at its origin
     */
    public MessageLeftOutException(DeadLetterEntry letter, String messagePlace, String why) {
        super("The dead letter " + letter.place() + " cannot be sent back: its message of " + letter.bytes()
                + " bytes did not fit into it, and " + why + ". The message was at " + messagePlace
                + ": let its producer send the event again, then discard the letter.");
    }
}
