package dev.waybill.server.config;

import dev.waybill.server.secrets.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** Expands references in values: to environment variables, with or without a default, and to files. */
final class References {
    private static final Pattern REFERENCE = Pattern.compile("\\$(\\$\\{)|\\$\\{([^}]*)}");
    /** A variable, or a property whose name has dots. */
    static final String NAME = "[A-Za-z_][A-Za-z0-9_]*|[A-Za-z][A-Za-z0-9-]*(?:\\.[A-Za-z0-9-]+)+";

    private static final Pattern VARIABLE = Pattern.compile("(" + NAME + ")(?::-(.*))?", Pattern.DOTALL);
    private static final String FILE = "file:";

    private final Function<String, @Nullable String> environment;
    private final Path directory;

    /**
     * @param directory the base of relative file names
     */
    References(Function<String, @Nullable String> environment, Path directory) {
        this.environment = environment;
        this.directory = directory;
    }

    Path resolve(String file) {
        return directory.resolve(file);
    }

    Optional<String> expand(String text, Place at) {
        StringBuilder expanded = new StringBuilder();
        Matcher matcher = REFERENCE.matcher(text);
        boolean complete = true;
        while (matcher.find()) {
            String value = "${";
            if (matcher.group(1) == null) {
                Optional<String> found = lookUp(matcher.group(2), at);
                complete &= found.isPresent();
                value = found.orElse("");
            }
            matcher.appendReplacement(expanded, Matcher.quoteReplacement(value));
        }
        matcher.appendTail(expanded);
        return complete ? Optional.of(expanded.toString()) : Optional.empty();
    }

    private Optional<String> lookUp(String reference, Place at) {
        if (reference.startsWith(FILE)) {
            return contents(reference.substring(FILE.length()), at);
        }
        Matcher variable = VARIABLE.matcher(reference);
        if (!variable.matches()) {
            at.mistake("refers to something that is neither a variable nor a file: write ${NAME}, ${NAME:-otherwise} or"
                    + " ${file:PATH}, and $${ for the characters themselves");
            return Optional.empty();
        }
        String name = variableOf(variable.group(1));
        String value = environment.apply(name);
        String otherwise = variable.group(2);
        String found = value == null || value.isEmpty() ? otherwise : value;
        Secrets secrets = at.findings().secrets();
        Stream.of(Optional.ofNullable(found), Optional.ofNullable(otherwise))
                .flatMap(Optional::stream)
                .forEach(text -> secrets.addNamed(name, text));
        if (found == null) {
            at.mistake("refers to the environment variable " + name + ", which is not set: set it, or write ${"
                    + variable.group(1) + ":-otherwise}");
        }
        return Optional.ofNullable(found);
    }

    /** The variable of a property such as notification.outbox.batch.size, by the rule of Spring: NOTIFICATION_OUTBOX_BATCH_SIZE. */
    private static String variableOf(String name) {
        return name.contains(".") ? name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT) : name;
    }

    private Optional<String> contents(String file, Place at) {
        try {
            String text = Files.readString(resolve(file)).strip();
            at.findings().secrets().add(text);
            return Optional.of(text);
        } catch (IOException e) {
            at.mistake("refers to the file " + file + ", which cannot be read ("
                    + e.getClass().getSimpleName() + ")");
            return Optional.empty();
        }
    }
}
