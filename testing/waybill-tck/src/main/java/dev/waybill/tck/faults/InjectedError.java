package dev.waybill.tck.faults;

/** An Error in the middle of a call, as when memory runs out. */
public final class InjectedError extends OutOfMemoryError {
    private static final long serialVersionUID = 1L;

    public InjectedError(String call) {
        super("injected instead of or after " + call);
    }
}
