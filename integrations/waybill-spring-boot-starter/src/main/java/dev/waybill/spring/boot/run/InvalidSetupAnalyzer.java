package dev.waybill.spring.boot.run;

import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;

/** Reports mistakes without a stack trace. */
final class InvalidSetupAnalyzer extends AbstractFailureAnalyzer<InvalidSetupException> {
    @Override
    protected FailureAnalysis analyze(Throwable rootFailure, InvalidSetupException cause) {
        return new FailureAnalysis(
                cause.getMessage(),
                "Correct what is listed, all at once. The keys are described in docs/spring-boot.md.",
                cause);
    }
}
