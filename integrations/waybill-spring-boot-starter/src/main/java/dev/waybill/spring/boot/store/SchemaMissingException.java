package dev.waybill.spring.boot.store;

import org.jspecify.annotations.Nullable;

/** The tables or indexes of a store do not exist, or are not as they must be. */
public final class SchemaMissingException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final String what;
    private final String remedy;

    SchemaMissingException(String what, String remedy, @Nullable Throwable cause) {
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
