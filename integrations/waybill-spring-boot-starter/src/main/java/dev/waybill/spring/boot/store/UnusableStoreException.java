package dev.waybill.spring.boot.store;

import org.jspecify.annotations.Nullable;

/** A store cannot be used: its tables or indexes do not exist or are not as they must be, or it is another name for a store. */
public final class UnusableStoreException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String what;
    private final String remedy;

    UnusableStoreException(String what, String remedy, @Nullable Throwable cause) {
        super(what + " " + remedy, cause);
        this.what = what;
        this.remedy = remedy;
    }

    public String what() {
        return what;
    }

    public String remedy() {
        return remedy;
    }
}
