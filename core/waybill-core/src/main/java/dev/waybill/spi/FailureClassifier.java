package dev.waybill.spi;

/**
 * Knows the exceptions of one client. Implementations are found with {@link java.util.ServiceLoader}: name yours in {@code
 * META-INF/services/dev.waybill.spi.FailureClassifier}. Safe for use by many threads.
 */
public interface FailureClassifier {

    /**
     * @param thrown is looked at alone; {@link FailureKind#of} asks for its causes, too
     * @return {@link FailureKind#FAILED} for an exception it does not know
     */
    FailureKind kindOf(Throwable thrown);
}
