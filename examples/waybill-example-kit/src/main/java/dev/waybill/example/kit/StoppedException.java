package dev.waybill.example.kit;

/** Ctrl-C ended the run. */
final class StoppedException extends RuntimeException {
    private static final long serialVersionUID = 1;

    StoppedException() {
        super("stopped");
    }
}
