package dev.waybill.server.operation;

/** Too many operations run at once. */
public final class TooManyOperationsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    TooManyOperationsException(int most) {
        super("This process runs " + most + " operations already: wait for one of them, or cancel it.");
    }
}
