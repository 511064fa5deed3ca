package dev.waybill.server.operation;

/** Too many operations run at once on one store or destination, or none may be started any more. */
public final class TooManyOperationsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private TooManyOperationsException(String message) {
        super(message);
    }

    static TooManyOperationsException on(String place, int most) {
        return new TooManyOperationsException("This process runs " + most + " operations on " + place
                + " already: wait for one of them, or cancel it.");
    }

    static TooManyOperationsException stopping() {
        return new TooManyOperationsException(
                "This process is stopping and starts no operation any more. Nothing was changed.");
    }
}
