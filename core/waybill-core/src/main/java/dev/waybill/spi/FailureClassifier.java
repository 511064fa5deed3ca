package dev.waybill.spi;

/**
 * Classifies the exceptions of one client. Implementations are found with {@link java.util.ServiceLoader}: name yours in {@code
 * META-INF/services/dev.waybill.spi.FailureClassifier}. Safe for use by many threads.
 */
public interface FailureClassifier {

    /**
     * @param thrown classified without its causes; {@link FailureKind#of} calls this for each cause
     * @return {@link FailureKind#FAILED} for an unknown exception
     */
    FailureKind kindOf(Throwable thrown);
}
