package dev.waybill.server.access;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.HexFormat;
import java.util.regex.Pattern;

/** A bearer token that cannot be read: {@code sha256:hex}. Tokens are long and random, so they need no slow hash. */
public final class TokenHash {
    private static final String KIND = "sha256:";
    private static final Pattern FORM = Pattern.compile(KIND + "[0-9a-f]{64}");
    private static final int TOKEN_BYTES = 32;

    private final byte[] hash;

    private TokenHash(byte[] hash) {
        this.hash = hash;
    }

    /** A new token, not its hash. */
    public static String newToken() {
        byte[] random = new byte[TOKEN_BYTES];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    public static TokenHash make(String token) {
        try {
            return new TokenHash(MessageDigest.getInstance("SHA-256").digest(token.getBytes(StandardCharsets.UTF_8)));
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("This Java runtime has no SHA-256.", e);
        }
    }

    /** @throws IllegalArgumentException if it is not a hash; the message does not repeat it */
    public static TokenHash parse(String text) {
        if (!FORM.matcher(text.strip()).matches()) {
            throw new IllegalArgumentException(
                    "is not the hash of a token: waybill password --token makes a token and its hash, which begins with "
                            + KIND);
        }
        return new TokenHash(HexFormat.of().parseHex(text.strip().substring(KIND.length())));
    }

    boolean matches(TokenHash other) {
        return MessageDigest.isEqual(hash, other.hash);
    }

    /** For the configuration. */
    public String text() {
        return KIND + HexFormat.of().formatHex(hash);
    }

    /** Without the hash. */
    @Override
    public String toString() {
        return "TokenHash[]";
    }
}
