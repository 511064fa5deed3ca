package dev.waybill.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URLEncoder;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CharsetEncoder;
import java.nio.charset.CoderResult;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

/** How secrets are found in a text: in any code, at any length, and at the edge of words. */
class SecretSearchTest {
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
            Secrets secrets = SecretsTest.knowing(secret);
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
    void a_quote_doubled_in_sql_is_recognized() {
        assertThat(SecretsTest.knowing("pa'ss\"word99").hide("identified by 'pa''ss\"word99' or \"pa'ss\"\"word99\""))
                .isEqualTo("identified by '[hidden]' or \"[hidden]\"");
    }

    /** Each backslash may be one, or half of one: to try all of it took seconds for one line. */
    @Test
    void if_a_secret_is_ambiguous_the_rest_of_the_line_is_hidden() {
        String secret = "\\".repeat(200) + "x";
        for (String text :
                List.of("\\".repeat(2_000) + " end", secret + " end", secret.replace("\\", "\\\\") + " end")) {
            assertThat(SecretsTest.knowing(secret).hide("said " + text)).isEqualTo("said [hidden]");
        }
        assertThat(SecretsTest.knowing("\\".repeat(20) + "x").hide("said " + "\\".repeat(40) + "x end"))
                .isEqualTo("said [hidden] end");
    }

    @Test
    void a_failure_of_the_search_shows_neither_the_text_nor_a_secret() {
        Secrets secrets = SecretsTest.knowing(SecretsTest.SECRET);
        ByteArrayOutputStream printed = new ByteArrayOutputStream();
        PrintStream out = ScrubbedOutput.on(
                new PrintStream(printed, true, StandardCharsets.UTF_8), new CharsetThatFails(), secrets);
        assertThat(secrets.hide("said " + SecretsTest.SECRET)).isEqualTo("[this line could not be scrubbed]");
        out.writeBytes(("said " + SecretsTest.SECRET + "\n").getBytes(StandardCharsets.UTF_8));
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
                            throw new StackOverflowError("at " + character + " of " + SecretsTest.SECRET);
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
    void overlapping_secrets_are_hidden_together() {
        assertThat(SecretsTest.knowing("abcde1gh", "1ghijklm").hide("<abcde1ghijklm>"))
                .isEqualTo("<[hidden]>");
    }

    @Test
    void hiding_again_changes_nothing() {
        Secrets secrets = SecretsTest.knowing("hidden", "another-one");
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
    void every_character_may_be_encoded_differently(String form) {
        assertThat(SecretsTest.knowing(SecretsTest.SECRET).hide("<" + form + ">"))
                .isEqualTo("<[hidden]>");
    }

    @Test
    void a_backslash_is_found_as_one_or_as_two() {
        Secrets secrets = SecretsTest.knowing("domain\\\\user\\n%25");
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
    void a_short_secret_is_found_after_an_escape_or_a_colour(String text) {
        assertThat(SecretsTest.knowing("hunter2").hide(text))
                .contains("[hidden]")
                .doesNotContain("hunter2");
    }

    @ParameterizedTest
    @ValueSource(strings = {"nhunter2", "3Ahunter2", "[mhunter2", "[hunter2", "x%A3Ahunter2"})
    void a_short_secret_is_not_found_inside_a_word(String text) {
        String secret = text.equals("[hunter2") ? "unter2" : "hunter2";
        assertThat(SecretsTest.knowing(secret).hide(text)).isEqualTo(text);
    }
}
