package dev.waybill.server.secrets;

import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.regex.Pattern;

/** What is searched for a secret: the whole, as it is and decoded, its lines, and each of these in base64. */
final class SecretForms {
    /** A shorter one would make holes in every text. */
    static final int SHORTEST = 4;

    /** A shorter one, such as a password {@code guest}, is searched where it stands as a word of its own. */
    private static final int LONG = 8;

    /** Of letters alone, such as a password {@code postgres}, it may be a word that others are made of; longer ones are none. */
    private static final Pattern ORDINARY_WORD = Pattern.compile("\\p{L}{1,20}");

    /** Fewer characters of base64 are found in any text. */
    private static final int SHORTEST_BASE64 = 8;

    static final String PEM = "-----";

    private SecretForms() {}

    /** The secret, as it is and decoded, and its lines: all of them where it is a key, which often ends with a short one. */
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

    /** Whether it counts only where it stands as a word of its own. */
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

    /** A secret in the middle of something encoded, such as user and password, begins at one of three places. */
    static Set<String> base64(String secret) {
        Set<String> forms = new LinkedHashSet<>();
        byte[] bytes = secret.getBytes(StandardCharsets.UTF_8);
        for (Base64.Encoder encoder : Set.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
            for (int offset = 0; offset < 3; offset++) {
                byte[] shifted = new byte[offset + bytes.length];
                System.arraycopy(bytes, 0, shifted, offset, bytes.length);
                String encoded = encoder.withoutPadding().encodeToString(shifted);
                // The characters at both ends also depend on what stands beside the secret.
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
