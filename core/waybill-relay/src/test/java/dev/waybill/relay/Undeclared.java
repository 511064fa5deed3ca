package dev.waybill.relay;

/** Throws exceptions from where they are not declared, as code in other languages of the JVM may. */
final class Undeclared {
    private Undeclared() {}

    /** Neither an exception nor an error. */
    static final class OfNoKind extends Throwable {
        private static final long serialVersionUID = 1;

        public OfNoKind() {}
    }

    static void raise(Throwable thrown) {
        Undeclared.<RuntimeException>as(thrown);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> void as(Throwable thrown) throws E {
        throw (E) thrown;
    }
}
