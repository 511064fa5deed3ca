package dev.waybill.admin;

/** This dead letter cannot be dealt with, for a reason of its own; it stays. Others can be. */
public class LetterStaysException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    /**
     * @param why the letter cannot be sent back, and what to do
     */
    public LetterStaysException(DeadLetterEntry letter, String why) {
        this("The dead letter " + letter.place() + " cannot be sent back and stays: " + why + ".");
    }

    LetterStaysException(String message) {
        super(message);
    }
}
