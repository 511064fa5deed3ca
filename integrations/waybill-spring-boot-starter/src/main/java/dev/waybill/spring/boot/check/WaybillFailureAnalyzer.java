package dev.waybill.spring.boot.check;

import java.util.List;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.diagnostics.AbstractFailureAnalyzer;
import org.springframework.boot.diagnostics.FailureAnalysis;
import org.springframework.core.Ordered;

/** Reports all mistakes of the configuration as a list, without a stack trace. */
class WaybillFailureAnalyzer extends AbstractFailureAnalyzer<InvalidConfigurationException> implements Ordered {

    /** Before Spring's own analysis of a failed binding. */
    @Override
    public int getOrder() {
        return Ordered.HIGHEST_PRECEDENCE;
    }

    @Override
    protected @Nullable FailureAnalysis analyze(Throwable failure, InvalidConfigurationException cause) {
        List<Mistake> mistakes = cause.mistakes();
        return new FailureAnalysis(
                "The configuration of Waybill has "
                        + (mistakes.size() == 1 ? "an error" : mistakes.size() + " errors") + ":\n\n"
                        + mistakes.stream().map(mistake -> "    " + mistake).collect(Collectors.joining("\n")),
                "Correct " + (mistakes.size() == 1 ? "it" : "them") + " in the configuration of the application.",
                failure);
    }
}
