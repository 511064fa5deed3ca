package dev.waybill.relay;

/** Throws checked exceptions from where they are not declared, as code in other languages of the JVM may. */
final class Undeclared {
    private Undeclared() {}

    static void raise(Exception exception) {
        Undeclared.<RuntimeException>as(exception);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Exception> void as(Exception exception) throws E {
        throw (E) exception;
    }
}
