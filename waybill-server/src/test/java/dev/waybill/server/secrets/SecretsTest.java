package dev.waybill.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Printable;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class SecretsTest {
    private static final String SECRET = "s3cret/with \"ö\" & +%";

    private static Secrets knowing(String... secrets) {
        Secrets known = new Secrets();
        known.addAll(List.of(secrets));
        return known;
    }

    @Test
    void a_secret_is_hidden_as_it_is_in_an_address_in_json_and_in_base64() {
        Secrets secrets = knowing(SECRET);
        String encoded = URLEncoder.encode(SECRET, StandardCharsets.UTF_8);
        for (String form : List.of(
                SECRET,
                encoded,
                encoded.replace("+", "%20"),
                "s3cret/with \\\"ö\\\" & +%",
                Base64.getEncoder().encodeToString(SECRET.getBytes(StandardCharsets.UTF_8)),
                Base64.getEncoder().encodeToString(("user:" + SECRET + "!").getBytes(StandardCharsets.UTF_8)),
                Base64.getEncoder().encodeToString(("\0me\0" + SECRET).getBytes(StandardCharsets.UTF_8)))) {
            assertThat(secrets.hide("before " + form + " after"))
                    .as(form)
                    .contains("[hidden]")
                    .doesNotContain(form)
                    .startsWith("before ")
                    .endsWith(" after");
        }
    }

    /** Whoever writes an address or JSON decides for each character whether to encode it. */
    @ParameterizedTest
    @ValueSource(
            strings = {"correct horse!battery~staple", "grünerTee-2026", "tr\u0001icky\bpass\u2028word<&>'x/😀", SECRET
            })
    void a_secret_is_hidden_however_its_characters_are_encoded(String secret) throws Exception {
        Secrets secrets = knowing(secret);
        URI address = new URI("amqp", "user:" + secret, "host", 1, "/" + secret, secret, secret);
        String json = JsonMapper.builder().build().writeValueAsString(secret);
        StringBuilder ascii = new StringBuilder();
        json.chars()
                .forEach(unit -> ascii.append(
                        unit < 128 ? Character.toString(unit) : String.format(Locale.ROOT, "\\u%04X", unit)));
        String rfc3986 = URLEncoder.encode(secret, StandardCharsets.UTF_8)
                .replace("+", "%20")
                .replace("%21", "!")
                .replace("%7E", "~");
        for (String form : List.of(
                address.toString(), address.toASCIIString(), json, ascii.toString(), rfc3986, Printable.of(secret))) {
            String core = secret.replaceAll("^[^a-z0-9]*|[^a-z0-9].*$", "");
            assertThat(secrets.hide(form)).as(form).contains("[hidden]").doesNotContain(core);
        }
    }

    @Test
    void a_secret_that_is_written_encoded_is_also_hidden_decoded() {
        assertThat(knowing("s%2Fcret%40home").hide("login with s/cret@home failed"))
                .isEqualTo("login with [hidden] failed");
    }

    @Test
    void every_line_of_a_key_is_hidden() {
        assertThat(knowing("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nAAAAB3NzaC1yc2EAAAAD\n-----END KEY-----")
                        .hide("found AAAAB3NzaC1yc2EAAAAD in a -----BEGIN KEY-----"))
                .isEqualTo("found [hidden] in a -----BEGIN KEY-----");
    }

    @Test
    void so_is_a_short_last_line_of_a_key_and_every_line_of_a_password() {
        Secrets key = knowing("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nq83vEjRWeJA=\n-----END KEY-----\n");
        assertThat(key.hide("at q83vEjRWeJA= the key ends")).isEqualTo("at [hidden] the key ends");
        assertThat(knowing("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nCg==\n-----END KEY-----")
                        .hide("in Cg== and"))
                .isEqualTo("in [hidden] and");
        assertThat(knowing("first8ch\nsecond8c").hide("second8c, first8ch")).isEqualTo("[hidden], [hidden]");
    }

    @Test
    void a_short_secret_is_hidden_as_a_word_and_leaves_other_words_alone() {
        assertThat(knowing("guest").hide("guest, guests, \"guest\"")).isEqualTo("[hidden], guests, \"[hidden]\"");
        assertThat(knowing("abc").hide("abc")).isEqualTo("abc");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://app:canary-1234@host/vhost",
                "mongodb://app:canary-1234@h1:1,h2:2/?x=a@b",
                "redis://:canary-1234@host",
                "jdbc:postgresql://app:canary-1234/5@host/db",
                "jdbc:mariadb://host/db?user=app&password=canary-1234",
                "jdbc:mariadb://address=(host=h)(password=canary-1234)/db",
                "jdbc:postgresql://host/db?sslpassword=canary-1234&sslmode=verify-full",
                "mongodb://host/?authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:canary-1234,X:y"
            })
    void addresses_are_shown_without_their_secrets_which_are_known_from_then_on(String address) {
        assertThat(AddressSecrets.hiddenIn(address)).contains("[hidden]").doesNotContain("canary");
        Secrets secrets = new Secrets();
        secrets.addNamed("ADDRESS", address);
        assertThat(secrets.hide("said canary-1234")).isEqualTo("said [hidden]");
    }

    @Test
    void an_address_without_secrets_is_shown_as_it_is() {
        for (String address : List.of(
                "mongodb://host:27017/?replicaSet=rs0&appName=a@b",
                "jdbc:postgresql://h1:5432,h2:5432/db?user=me@tenant&sslmode=verify-full",
                "amqp://app@host")) {
            assertThat(AddressSecrets.hiddenIn(address)).isEqualTo(address);
            assertThat(AddressSecrets.in(address)).isEmpty();
        }
    }

    @Test
    void every_piece_of_a_login_is_hidden_but_the_words_of_its_language() {
        Secrets secrets = new Secrets();
        secrets.addNamed("sasl.jaas.config", "o.a.k.PlainLoginModule required username=app password=first second;");
        assertThat(secrets.hide("Value not specified for key 'second' in JAAS config, after password of app, first"))
                .isEqualTo("Value not specified for key '[hidden]' in JAAS config, after password of app, [hidden]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"\"ab;cd='ef gh\"", "\"ab;cd='ef x=1 gh\"", "ab;cd='ef", "'ab;c\\'d='"})
    void a_login_is_hidden_whole_whatever_separators_are_in_it(String password) {
        Secrets secrets = new Secrets();
        secrets.addNamed(
                "sasl.jaas.config", "o.a.k.PlainLoginModule required username=\"app\" password=" + password + ";");
        String bare = password.replaceAll("^[\"']|[\"']$", "");
        for (String form : List.of(bare, bare.replace("\\", ""))) {
            assertThat(secrets.hide("said <" + form + "> of app")).isEqualTo("said <[hidden]> of app");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "DB_PASS",
                "SMTP_PASS",
                "KAFKA_SASL_PASS",
                "DB_PW",
                "dbPass",
                "--pass",
                "PASSWD",
                "basic.auth.user.info",
                "AUTHORIZATION",
                "http.header.Authorization",
                "bearer",
                "COOKIE",
                "ssl.keystore.pwd",
                "AWS_SECRET_ACCESS_KEY",
                "DBPASS",
                "DBPWD",
                "DBPASS_OLD",
                "DBPW",
                "MASTERKEY",
                "masterKey",
                "SIGNING_KEY",
                "DB_PWD"
            })
    void names_that_tell_of_a_secret(String name) {
        assertThat(SecretNames.isSecret(name)).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "PWD",
                "COMPASS",
                "BYPASS_CHECKS",
                "passthrough",
                "KEYBOARD",
                "PUBLIC_URL",
                "PATH",
                "OLDPWD",
                "MONKEY_HOST",
                "TURKEY",
                "SSH_PUBLIC_KEY",
                "key.serializer",
                "KEYSTORE"
            })
    void names_that_only_look_like_it(String name) {
        assertThat(SecretNames.isSecret(name)).isFalse();
    }

    @Test
    void of_a_login_in_a_header_the_password_is_hidden_too() {
        String basic =
                "Basic " + Base64.getEncoder().encodeToString("app:canary-basic".getBytes(StandardCharsets.UTF_8));
        Secrets secrets = new Secrets();
        secrets.addNamed(Map.of(
                "basic.auth.user.info", "app:canary-info",
                "http.header.Authorization", basic,
                "REGISTRY_AUTHORIZATION", "Bearer canary-bearer"));
        assertThat(secrets.hide("canary-info canary-bearer canary-basic " + basic.substring(6)))
                .isEqualTo("[hidden] [hidden] [hidden] [hidden]");
    }

    @Test
    void the_environment_tells_secrets_by_their_names(@TempDir Path directory) throws Exception {
        Path key = Files.writeString(
                directory.resolve("key.json"),
                "{\"private_key\": \"canary-key\", \"client_email\": \"me@host\", \"token_uri\": \"http://token\"}");
        Secrets secrets = new Secrets();
        secrets.addNamed(Map.of(
                "AWS_SESSION_TOKEN", "canary-token",
                "DB_PWD", "canary-pwd",
                "PWD", "/home/somebody",
                "GOOGLE_APPLICATION_CREDENTIALS", key.toString()));
        assertThat(secrets.hide(
                        "canary-token canary-pwd canary-key /home/somebody me@host http://token " + key.getFileName()))
                .isEqualTo("[hidden] [hidden] [hidden] /home/somebody me@host http://token key.json");
    }

    @Test
    void whatever_is_printed_is_printed_without_secrets_also_when_it_comes_in_pieces() {
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = ScrubbedOutput.on(
                new PrintStream(printed, true, StandardCharsets.UTF_8), StandardCharsets.UTF_8, knowing(SECRET));
        out.print("x".repeat(8_190));
        out.print(SECRET.substring(0, 5));
        out.println(SECRET.substring(5));
        out.print("Go on? " + SECRET);
        out.flush();
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .isEqualTo("x".repeat(8_190) + "[hidden]" + System.lineSeparator() + "Go on? [hidden]");
    }

    @ParameterizedTest
    @ValueSource(strings = {"US-ASCII", "ISO-8859-1", "windows-1252", "UTF-8", "UTF-16", "IBM1047"})
    void whatever_the_charset_of_the_output_is(String name) {
        Charset charset = Charset.forName(name);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = ScrubbedOutput.on(
                new PrintStream(printed, true, StandardCharsets.UTF_8), charset, knowing("grünerTee-2026"));
        out.println("pw grünerTee-2026 end");
        out.writeBytes("log grünerTee-2026 end\n".getBytes(StandardCharsets.UTF_8));
        out.flush();
        for (Charset read : List.of(charset, StandardCharsets.UTF_8)) {
            assertThat(printed.toString(read)).doesNotContain("nerTee-2026");
        }
        assertThat(printed.toString(StandardCharsets.UTF_8))
                .isEqualTo("pw [hidden] end" + System.lineSeparator() + "log [hidden] end\n");
    }

    /** A chain of certificates, a private key, a login with a long token: from one word to many lines. */
    @ParameterizedTest
    @ValueSource(ints = {1_000, 6_000, 16_000, 100_000})
    void a_secret_may_be_very_long(int length) {
        Random random = new Random(length);
        StringBuilder characters = new StringBuilder();
        for (int i = 0; i < length; i++) {
            characters.append((char) ('A' + random.nextInt(26)));
        }
        String word = characters.toString();
        String lines = "-----BEGIN KEY-----\n" + word.replaceAll("(.{64})", "$1\n") + "\n-----END KEY-----\n";
        for (String secret : List.of(word, lines)) {
            Secrets secrets = knowing(secret);
            String json = JsonMapper.builder().build().writeValueAsString(secret);
            assertThat(secrets.hide("said " + secret + " and")).isEqualTo("said [hidden] and");
            assertThat(secrets.hide(json)).isEqualTo("\"[hidden]\"");
            assertThat(secrets.hide(URLEncoder.encode(secret, StandardCharsets.UTF_8)))
                    .isEqualTo("[hidden]");
        }
        Secrets secrets = new Secrets();
        secrets.addNamed("sasl.jaas.config", "o.a.k.PlainLoginModule required password=\"" + word + "\";");
        assertThat(secrets.hide("said " + word)).isEqualTo("said [hidden]");
    }

    @Test
    void a_failure_of_the_search_shows_neither_the_text_nor_a_secret() {
        Secrets secrets = knowing(SECRET);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = ScrubbedOutput.on(
                new PrintStream(printed, true, StandardCharsets.UTF_8), new CharsetThatFails(), secrets);
        assertThat(secrets.hide("said " + SECRET)).isEqualTo("[this line could not be scrubbed]");
        out.writeBytes(("said " + SECRET + "\n").getBytes(StandardCharsets.UTF_8));
        out.flush();
        assertThat(printed.toString(StandardCharsets.UTF_8)).isEqualTo("[this line could not be scrubbed]\n");
    }

    /** Writes the end of a line, and quotes everything else in its error. */
    private static final class CharsetThatFails extends Charset {
        CharsetThatFails() {
            super("x-fails", new String[0]);
        }

        @Override
        public boolean contains(Charset other) {
            return false;
        }

        @Override
        public CharsetDecoder newDecoder() {
            return StandardCharsets.UTF_8.newDecoder();
        }

        @Override
        public CharsetEncoder newEncoder() {
            return new CharsetEncoder(this, 1, 1, new byte[] {'?'}) {
                @Override
                protected CoderResult encodeLoop(CharBuffer in, ByteBuffer encoded) {
                    while (in.hasRemaining()) {
                        char character = in.get();
                        if (character != '\n' && character != '?') {
                            throw new StackOverflowError("at " + character + " of " + SECRET);
                        }
                        encoded.put((byte) character);
                    }
                    return CoderResult.UNDERFLOW;
                }

                @Override
                public boolean isLegalReplacement(byte[] replacement) {
                    return true;
                }
            };
        }
    }

    @Test
    void of_two_secrets_that_overlap_nothing_is_left() {
        assertThat(knowing("abcdefgh", "fghijklm").hide("<abcdefghijklm>")).isEqualTo("<[hidden]>");
    }

    @Test
    void hiding_again_changes_nothing() {
        Secrets secrets = knowing("hidden", "another-one");
        String once = secrets.hide("hidden or another-one");
        assertThat(once).isEqualTo("[hidden] or [hidden]");
        assertThat(secrets.hide(once)).isEqualTo(once);
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "s3cret&#47;with &quot;&#xf6;&quot; &amp; +%",
                "s3cret%2fwith+%22%c3%B6%22+%26+%2B%25",
                "s3cret%2Fwith%20%22%F6%22%20%26%20%2B%25",
                "\\u0073\\u0033cret\\/with \\x22\\u00F6\\\" &#38; +%",
                "%73%33cret/with \"ö\" & +%"
            })
    void every_character_may_stand_in_another_code(String form) {
        assertThat(knowing(SECRET).hide("<" + form + ">")).isEqualTo("<[hidden]>");
    }

    @Test
    void a_backslash_is_found_as_one_or_as_two() {
        Secrets secrets = knowing("domain\\\\user\\n%25");
        for (String form : List.of("domain\\\\user\\n%25", "domain\\\\\\\\user\\\\n%25", "domain\\\\user\\n%2525")) {
            assertThat(secrets.hide("<" + form + ">")).isEqualTo("<[hidden]>");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "refused\\nhunter2",
                "user\\thunter2",
                "\\u202ehunter2",
                "guest%3Ahunter2%40host",
                "\u001b[1merror \u001b[0mhunter2\u001b[m",
                "\u001b[mhunter2",
                "\\u001b[Khunter2",
                "\uFFFD[0mhunter2"
            })
    void a_short_secret_is_a_word_of_its_own_after_an_escape_or_a_colour(String text) {
        assertThat(knowing("hunter2").hide(text)).contains("[hidden]").doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nhunter2", "3Ahunter2", "[mhunter2", "[hunter2", "x%A3Ahunter2"})
    void but_not_after_a_letter_that_ends_neither(String text) {
        String secret = text.equals("[hunter2") ? "unter2" : "hunter2";
        assertThat(knowing(secret).hide(text)).isEqualTo(text);
    }

    @Test
    void a_switch_or_a_small_number_is_no_secret_because_of_its_name() {
        Secrets secrets = new Secrets();
        secrets.addNamed(Map.of(
                "TOKEN_ENABLED", "true",
                "VAULT_TOKEN_CHECK", "False",
                "TOKEN_SERVICE_PORT", "8080",
                "TOKEN_PIN", "12345678"));
        assertThat(secrets.hide("true False 8080 12345678")).isEqualTo("true False 8080 [hidden]");
        assertThat(knowing("8080").hide("configured: 8080")).isEqualTo("configured: [hidden]");
    }

    @Test
    void our_own_name_is_not_hidden_since_the_hole_would_tell_it() {
        assertThat(knowing("waybill").hide("waybill: the schema waybill")).isEqualTo("waybill: the schema waybill");
    }
}
