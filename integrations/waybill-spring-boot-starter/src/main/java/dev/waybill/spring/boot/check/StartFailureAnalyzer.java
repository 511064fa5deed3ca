package dev.waybill.spring.boot.check;

import dev.waybill.spring.boot.append.InvalidMappingsException;
import dev.waybill.spring.boot.store.UnusableStoreException;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.boot.diagnostics.FailureAnalyzer;
import org.springframework.core.Ordered;

/** Reports missing tables, and classes that cannot be mapped to events. */
class StartFailureAnalyzer implements FailureAnalyzer, Ordered {
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    public @Nullable FailureAnalysis analyze(Throwable failure) {
        for (Throwable cause = failure; cause != null; cause = cause.getCause()) {
            if (cause instanceof UnusableStoreException missing) {
                return new FailureAnalysis(missing.what(), missing.remedy(), failure);
            }
            if (cause instanceof InvalidMappingsException mappings) {
                return new FailureAnalysis(
                        "Domain events cannot be mapped to events:\n\n"
                                + mappings.mistakes().stream()
                                        .map(mistake -> "    " + mistake)
                                        .collect(Collectors.joining("\n")),
                        "Correct the classes or their EventMapping beans.",
                        failure);
            }
        }
        return null;
    }
}
