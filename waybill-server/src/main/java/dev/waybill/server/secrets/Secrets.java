package dev.waybill.server.secrets;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * What must not be shown. Whoever reads a secret adds it here, before anybody else gets it; whatever is printed is printed
 * without it. Safe for use by many threads.
 */
public final class Secrets {
    public static final String HIDDEN = "[hidden]";

    /** A shorter one would make holes in every text. */
    private static final int SHORTEST = 4;

    /** A shorter one, such as a password {@code guest}, is hidden where it stands as a word of its own. */
    private static final int LONG = 8;

    private final Set<String> forms = new LinkedHashSet<>();
    private volatile @Nullable Pattern inText;
    private volatile @Nullable Pattern inBytes;

    /** Knows what the environment of this process has. */
    public static Secrets ofThisProcess() {
        Secrets secrets = new Secrets();
        secrets.addNamed(System.getenv());
        secrets.addNamed(System.getProperties().stringPropertyNames().stream()
                .collect(Collectors.toMap(name -> name, System::getProperty)));
        return secrets;
    }

    /** Values whose name tells that they are secrets, and what is secret in the addresses among the others. */
    public void addNamed(Map<String, String> values) {
        values.forEach(this::addNamed);
    }

    /** One value that has a name. */
    public void addNamed(String name, String value) {
        addAll(AddressSecrets.in(value));
        if (name.toLowerCase(Locale.ROOT).contains("jaas")) {
            addAll(JaasSecrets.in(value));
        } else if (SecretNames.isSecret(name)) {
            file(value).ifPresentOrElse(file -> addAll(CredentialsFile.secretsIn(file)), () -> add(value));
        }
    }

    /** Where the value names a file, what is in that file is the secret. */
    private static Optional<Path> file(String value) {
        try {
            return Optional.of(Path.of(value)).filter(path -> path.isAbsolute() && Files.isRegularFile(path));
        } catch (InvalidPathException e) {
            return Optional.empty();
        }
    }

    public void addAll(Collection<String> secrets) {
        secrets.forEach(this::add);
    }

    public synchronized void add(String secret) {
        if (secret.strip().length() < SHORTEST) {
            return;
        }
        Set<String> all = SecretForms.of(secret);
        all.removeIf(form -> form.length() < SHORTEST);
        if (forms.addAll(all)) {
            inText = pattern(forms.stream());
            inBytes = pattern(forms.stream()
                    .flatMap(form -> Stream.of(StandardCharsets.UTF_8, Charset.defaultCharset())
                            .map(charset -> asBytes(form, charset))
                            .distinct()));
        }
    }

    private static Pattern pattern(Stream<String> searched) {
        return Pattern.compile(
                searched.sorted(Comparator.comparingInt(String::length).reversed())
                        .map(Secrets::searched)
                        .collect(Collectors.joining("|")));
    }

    private static String searched(String form) {
        String quoted = Pattern.quote(form);
        return form.length() < LONG ? "(?<![A-Za-z0-9])" + quoted + "(?![A-Za-z0-9])" : quoted;
    }

    private static String asBytes(String text, Charset charset) {
        return new String(text.getBytes(charset), StandardCharsets.ISO_8859_1);
    }

    /** The text without secrets. */
    public String hide(String text) {
        Pattern known = inText;
        return known == null ? text : known.matcher(text).replaceAll(HIDDEN);
    }

    /** The same for text that is encoded already. */
    byte[] hide(byte[] text) {
        Pattern known = inBytes;
        if (known == null) {
            return text;
        }
        return known.matcher(new String(text, StandardCharsets.ISO_8859_1))
                .replaceAll(HIDDEN)
                .getBytes(StandardCharsets.ISO_8859_1);
    }
}
