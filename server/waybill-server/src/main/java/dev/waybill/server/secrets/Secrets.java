package dev.waybill.server.secrets;

import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * What must not be shown. Whoever reads a secret adds it here, before anybody else gets it; whatever is printed is printed
 * without it. Safe for use by many threads.
 */
public final class Secrets {
    public static final String HIDDEN = "[hidden]";
    /** In the place of what nobody could search. */
    static final String NOT_SCRUBBED = "[this line could not be scrubbed]";

    private static final Set<String> SETTINGS = Set.of("true", "false", "yes", "no", "on", "off", "none", "null");
    private static final Pattern SHORT_NUMBER = Pattern.compile("[+-]?\\d{1,7}");
    /** It stands in every second sentence, and a hole there would tell what it is instead of hiding it. */
    private static final String OUR_NAME = "waybill";

    private final Set<String> texts = new LinkedHashSet<>();
    private final Set<Charset> charsets =
            new LinkedHashSet<>(List.of(StandardCharsets.UTF_8, Charset.defaultCharset()));
    /** Nothing when a secret was added since. */
    private volatile @Nullable Searched searched;

    private record Searched(SecretSearch inText, SecretSearch inBytes) {}

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
        try {
            addParts(name, value);
        } catch (RuntimeException | StackOverflowError e) {
            add(value); // nobody can tell its parts
        }
    }

    private void addParts(String name, String value) {
        addAll(AddressSecrets.in(value));
        if (name.toLowerCase(Locale.ROOT).contains("jaas")) {
            addAll(JaasSecrets.in(value));
        } else if (SecretNames.isLogin(name)) {
            addAll(LoginSecrets.in(value));
        } else if (SecretNames.isFileOfSecrets(name) && file(value).isPresent()) {
            addAll(CredentialsFile.secretsIn(file(value).orElseThrow()));
        } else if (SecretNames.isSecret(name)
                && !isSetting(value)
                && file(value).isEmpty()) {
            add(value);
        }
    }

    /** A switch or a number, as in {@code TOKEN_ENABLED=true}: to hide it wherever it stands would spoil every answer. */
    private static boolean isSetting(String value) {
        return SETTINGS.contains(value.strip().toLowerCase(Locale.ROOT))
                || SHORT_NUMBER.matcher(value.strip()).matches();
    }

    /** A value that names a file is no secret itself; what is in it may be one, or a program such as git calls for a password. */
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
        if (secret.strip().length() >= SecretForms.SHORTEST
                && !secret.strip().equalsIgnoreCase(OUR_NAME)
                && texts.addAll(SecretForms.textsOf(secret))) {
            searched = null;
        }
    }

    /** Another way in which the process writes text. */
    synchronized void printedIn(Charset charset) {
        if (charsets.add(charset)) {
            searched = null;
        }
    }

    private Searched searched() {
        Searched known = searched;
        return known == null ? prepared() : known;
    }

    private synchronized Searched prepared() {
        Searched known = new Searched(SecretSearch.inText(texts), SecretSearch.inBytes(texts, charsets));
        searched = known;
        return known;
    }

    /** The text without secrets. */
    public String hide(String text) {
        try {
            return searched().inText().replaceIn(text, HIDDEN);
        } catch (RuntimeException | Error e) {
            return NOT_SCRUBBED; // and nothing of the failure: it may quote what must not be shown
        }
    }

    /** The same for text that is encoded already. */
    byte[] hide(byte[] text) {
        try {
            return searched()
                    .inBytes()
                    .replaceIn(new String(text, StandardCharsets.ISO_8859_1), HIDDEN)
                    .getBytes(StandardCharsets.ISO_8859_1);
        } catch (RuntimeException | Error e) {
            return (NOT_SCRUBBED + "\n").getBytes(StandardCharsets.ISO_8859_1);
        }
    }
}
