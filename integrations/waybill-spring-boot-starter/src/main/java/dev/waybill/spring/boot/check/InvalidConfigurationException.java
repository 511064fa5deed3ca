package dev.waybill.spring.boot.check;

import java.util.List;

/** The configuration has mistakes. The message lists all of them. */
public final class InvalidConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Mistake> mistakes;

    InvalidConfigurationException(List<Mistake> mistakes) {
        super("The configuration of Waybill has " + (mistakes.size() == 1 ? "an error" : mistakes.size() + " errors")
                + ": "
                + String.join("; ", mistakes.stream().map(Mistake::toString).toList()));
        this.mistakes = List.copyOf(mistakes);
    }

    public List<Mistake> mistakes() {
        return mistakes;
    }
}
