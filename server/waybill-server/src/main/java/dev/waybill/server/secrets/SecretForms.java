package dev.waybill.server.secrets;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** The forms in which a secret is searched: the whole, plain and decoded, its lines, and each of these in base64. */
final class SecretForms {
    /** Shorter secrets are not hidden, since they occur in any text. */
    static final int SHORTEST = 4;

    /** Shorter secrets, such as {@code guest}, are hidden only as whole words. */
    private static final int LONG = 8;

    /** Secrets of letters only, such as {@code postgres}, may be part of other words; longer ones are not. */
    private static final Pattern ORDINARY_WORD = Pattern.compile("\\p{L}{1,20}");

    /** Shorter base64 occurs in any text. */
    private static final int SHORTEST_BASE64 = 8;

    static final String PEM = "-----";

    private SecretForms() {}

    /** The secret, plain and decoded, and its lines: all lines of a key, whose last line is often short. */
    static Set<String> textsOf(String secret) {
        Set<String> texts = new LinkedHashSet<>();
        texts.add(secret);
        texts.add(secret.strip());
        texts.add(decoded(secret));
        int shortest = secret.contains(PEM) ? SHORTEST : LONG;
        secret.lines()
                .map(String::strip)
                .filter(line -> line.length() >= shortest && !line.startsWith(PEM))
                .forEach(texts::add);
        texts.removeIf(text -> text.length() < SHORTEST);
        return texts;
    }

    /** Whether it is hidden only as a whole word. */
    static boolean isBounded(String text) {
        return text.length() < LONG || ORDINARY_WORD.matcher(text).matches();
    }

    private static String decoded(String secret) {
        try {
            return URLDecoder.decode(secret.replace("+", "%2B"), StandardCharsets.UTF_8);
        } catch (IllegalArgumentException e) {
            return secret; // a per cent sign that begins no code
        }
    }

    /** In base64 of a longer text, such as user and password, a secret begins at one of three offsets. */
    static Set<String> base64(String secret) {
        Set<String> forms = new LinkedHashSet<>();
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        for (Base64.Encoder encoder : Set.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
            for (int offset = 0; offset < 3; offset++) {
                byte[] shifted = new byte[offset + bytes.length];
                System.arraycopy(bytes, 0, shifted, offset, bytes.length);
                String encoded = encoder.withoutPadding().encodeToString(shifted);
                // The first and last characters also depend on the text around the secret.
                int begin = offset == 0 ? 0 : offset + 1;
                int end = shifted.length % 3 == 0 ? encoded.length() : encoded.length() - 1;
                if (end - begin >= SHORTEST_BASE64) {
                    forms.add(encoded.substring(begin, end));
                }
            }
        }
        return forms;
    }
}
