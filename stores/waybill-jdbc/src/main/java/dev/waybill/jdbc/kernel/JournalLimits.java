package dev.waybill.jdbc.kernel;

/** Limits of the journal, the same as in the constraints of its table. */
public final class JournalLimits {
    public static final int PAYLOAD_BYTES = 16_777_216;
    public static final int HEADERS_BYTES = 131_072;

    private JournalLimits() {}
}
