package dev.waybill.jsonschema;

import java.util.List;

/** A registry file has mistakes. The message lists all of them, each with its path in the file. */
public final class RegistryFileException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    RegistryFileException(String file, List<String> problems) {
        super("The event registry " + file + " cannot be used, " + problems.size() + " "
                + (problems.size() == 1 ? "thing is" : "things are") + " wrong:\n  " + String.join("\n  ", problems));
    }
}
