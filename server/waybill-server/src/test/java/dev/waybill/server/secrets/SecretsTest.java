package dev.waybill.server.secrets;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spi.Printable;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.URI;
import java.net.URLEncoder;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

class SecretsTest {
    static final String SECRET = "s3cret/with \"ö\" & +%";

    static Secrets knowing(String... secrets) {
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
    void an_encoded_secret_is_also_hidden_decoded() {
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
    void a_short_last_line_of_a_key_and_every_line_of_a_password_are_hidden() {
        Secrets key = knowing("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nq83vEjRWeJA=\n-----END KEY-----\n");
        assertThat(key.hide("at q83vEjRWeJA= the key ends")).isEqualTo("at [hidden] the key ends");
        assertThat(knowing("-----BEGIN KEY-----\nMIIEvQIBADANBgkqhkiG\nCg==\n-----END KEY-----")
                        .hide("in Cg== and"))
                .isEqualTo("in [hidden] and");
        assertThat(knowing("first8ch\nsecond8c").hide("second8c, first8ch")).isEqualTo("[hidden], [hidden]");
    }

    @Test
    void a_short_secret_is_hidden_only_as_a_whole_word() {
        assertThat(knowing("guest").hide("guest, guests, \"guest\"")).isEqualTo("[hidden], guests, \"[hidden]\"");
        assertThat(knowing("abc").hide("abc")).isEqualTo("abc");
    }

    @Test
    void a_secret_of_letters_is_hidden_only_as_a_whole_word() {
        assertThat(knowing("postgres").hide("postgres, jdbc:postgresql://h, 'postgres' postgres_1"))
                .isEqualTo("[hidden], jdbc:postgresql://h, '[hidden]' [hidden]_1");
        assertThat(knowing("abcdefghijklmnopqrstuvwxyz").hide("xabcdefghijklmnopqrstuvwxyzx"))
                .isEqualTo("x[hidden]x");
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "amqp://app:canary-1234@host/vhost",
                "mongodb://app:canary-1234@h1:1,h2:2/?x=a@b",
                "redis://:canary-1234@host",
                "jdbc:postgresql://app:canary-1234/5@host/db",
                "jdbc:mariadb://host/db?user=app&password=canary-1234",
                "jdbc:mariadb:app:canary-1234@127.0.0.1:3306/db",
                "jdbc:mariadb:load-balance:app:canary-1234@127.0.0.1:3306/db",
                "jdbc:mariadb:load-balance://app:canary-1234@127.0.0.1:3306/db",
                "jdbc:mariadb:load-balance://address=(host=h1)(password=canary-1234)/db",
                "jdbc:postgresql:app:canary-1234@host/db",
                "jdbc:oracle:thin:app/canary-1234@host:1521/db",
                "jdbc:mariadb://address=(host=h)(password=canary-1234)/db",
                "jdbc:postgresql://host/db?sslpassword=canary-1234&sslmode=verify-full",
                "mongodb://host/?authMechanism=MONGODB-AWS&authMechanismProperties=AWS_SESSION_TOKEN:canary-1234,X:y"
            })
    void addresses_are_shown_without_secrets_which_are_remembered(String address) {
        assertThat(AddressSecrets.hiddenIn(address)).contains("[hidden]").doesNotContain("canary");
        Secrets secrets = new Secrets();
        secrets.addNamed("ADDRESS", address);
        assertThat(secrets.hide("said canary-1234")).isEqualTo("said [hidden]");
    }

    @Test
    void an_address_without_secrets_is_shown_unchanged() {
        for (String address : List.of(
                "mongodb://host:27017/?replicaSet=rs0&appName=a@b",
                "jdbc:postgresql://h1:5432,h2:5432/db?user=me@tenant&sslmode=verify-full",
                "amqp://app@host")) {
            assertThat(AddressSecrets.hiddenIn(address)).isEqualTo(address);
            assertThat(AddressSecrets.in(address)).isEmpty();
        }
    }

    @Test
    void every_part_of_a_login_is_hidden_except_keywords() {
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

    @Test
    void output_is_scrubbed_even_if_written_in_pieces() {
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
    void output_is_scrubbed_in_every_charset(String name) {
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
}
