package dev.waybill.server.config;

import dev.waybill.server.config.Expansion.Part;
import dev.waybill.server.secrets.SecretNames;
import dev.waybill.server.secrets.Secrets;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
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
    private static final String BEGIN = "${";

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

    /** Empty if a reference cannot be expanded, which is reported. */
    Optional<Expansion> expand(String written, Place at) {
        List<Part> parts = new ArrayList<>();
        Matcher matcher = REFERENCE.matcher(written);
        boolean complete = true;
        int end = 0;
        while (matcher.find()) {
            parts.add(Part.literal(written.substring(end, matcher.start())));
            end = matcher.end();
            if (matcher.group(1) == null) {
                Optional<Part> found = lookUp(matcher.group(2), at);
                complete &= found.isPresent();
                found.ifPresent(parts::add);
            } else {
                parts.add(new Part(BEGIN, matcher.group(), Optional.empty()));
            }
        }
        parts.add(Part.literal(written.substring(end)));
        return complete ? Optional.of(new Expansion(written, parts)) : Optional.empty();
    }

    private Optional<Part> lookUp(String reference, Place at) {
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
        boolean isSet = value != null && !value.isEmpty();
        String otherwise = variable.group(2);
        String found = isSet ? value : otherwise;
        Secrets secrets = at.findings().secrets();
        Stream.of(Optional.ofNullable(found), Optional.ofNullable(otherwise))
                .flatMap(Optional::stream)
                .forEach(text -> secrets.addNamed(name, text));
        if (found == null) {
            at.mistake("refers to the environment variable " + name + ", which is not set: set it, or write ${"
                    + variable.group(1) + ":-otherwise}");
            return Optional.empty();
        }
        // A value with the characters of a reference would be read back as one.
        boolean printable = !SecretNames.isSecret(name) && !found.contains(BEGIN);
        return Optional.of(new Part(
                found,
                printable ? found : BEGIN + reference + "}",
                Optional.of((isSet ? "" : "the default of ") + "the environment variable " + name)));
    }

    /** The variable of a property such as notification.outbox.batch.size, by the rule of Spring: NOTIFICATION_OUTBOX_BATCH_SIZE. */
    private static String variableOf(String name) {
        return name.contains(".") ? name.replace("-", "").replace('.', '_').toUpperCase(Locale.ROOT) : name;
    }

    private Optional<Part> contents(String file, Place at) {
        try {
            String text = Files.readString(resolve(file)).strip();
            at.findings().secrets().add(text);
            return Optional.of(new Part(text, BEGIN + FILE + file + "}", Optional.of("the file " + file)));
        } catch (IOException e) {
            at.mistake("refers to the file " + file + ", which cannot be read ("
                    + e.getClass().getSimpleName() + ")");
            return Optional.empty();
        }
    }
}
