package dev.waybill.admin;

/** This dead letter cannot be sent back and is kept. Others are not affected. */
public class LetterStaysException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param why the letter cannot be sent back, and what to do
     */
    public LetterStaysException(DeadLetterEntry letter, String why) {
        this("The dead letter " + letter.place() + " cannot be sent back and is kept: " + why + ".");
    }

    LetterStaysException(String message) {
        super(message);
    }
}
