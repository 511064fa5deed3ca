package dev.waybill.spring.boot.append;

import java.util.List;

/** Classes that cannot be mapped to events as they are annotated or registered. */
public final class InvalidMappingsException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<String> mistakes;

    InvalidMappingsException(List<String> mistakes) {
        super("The mapping of domain events has " + mistakes.size() + " errors: " + String.join("; ", mistakes) + ".");
        this.mistakes = List.copyOf(mistakes);
    }

    public List<String> mistakes() {
        return mistakes;
    }
}
