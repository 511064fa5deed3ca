package dev.waybill.server.config;

import java.nio.file.Path;
import java.util.List;

/** The file has mistakes. The message lists all of them, each with its line and path. */
public final class ConfigurationException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    private final transient List<Mistake> mistakes;

    ConfigurationException(String file, List<Mistake> mistakes) {
        super(message(file, mistakes));
        this.mistakes = List.copyOf(mistakes);
    }

    /** The file does not exist. */
    ConfigurationException(Path missing) {
        super("There is no file " + missing + ": name the configuration, as an absolute path or relative to "
                + Path.of("").toAbsolutePath() + ".");
        this.mistakes = List.of(new Mistake(1, "", "there is no such file"));
    }

    public List<Mistake> mistakes() {
        return mistakes;
    }

    private static String message(String file, List<Mistake> mistakes) {
        StringBuilder text = new StringBuilder(file).append(" cannot be used, ").append(mistakes.size());
        text.append(mistakes.size() == 1 ? " thing is wrong:" : " things are wrong:");
        mistakes.forEach(
                mistake -> text.append("\n  ").append(mistake.toString().replace("\n", "\n    ")));
        return text.toString();
    }
}
