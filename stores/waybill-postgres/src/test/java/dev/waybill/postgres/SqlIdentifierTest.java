package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.jdbc.DatabaseRoles;
import dev.waybill.jdbc.kernel.SqlIdentifier;
import dev.waybill.tck.Seeds;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.Optional;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SqlIdentifierTest extends JournalFixture {
    private static final String[] PIECES = {
        "\"",
        "\"\"",
        "'",
        ";",
        "--",
        "/*",
        "*/",
        "\\",
        "$$",
        "$1",
        "?",
        "??",
        ":x",
        "{fn now()}",
        "{",
        "}",
        "%s",
        "%1$s",
        "U&",
        "E'",
        "; drop schema waybill cascade; --",
        "\" ; drop schema waybill cascade; --",
        ".",
        ",",
        "(",
        ")",
        " ",
        "public",
        "waybill",
        "PRODUCER",
        "ä",
        "ß",
        "é",
        "Ω",
        "漢字",
        "🚚",
        "\u200b",
        "\u202e",
        "\u00a0",
        "\ufeff",
        "\ufffd"
    };
    private static final String[] REFUSED_PIECES = {"\0", "\n", "\r", "\t", "\u007f", "\u0085", "\ud83d", "\udc00"};

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "a\0b", "a\nb", "tab\t", "\u007f", "\u0085", "lone \ud83d", "\udc00 lone"})
    void a_name_with_control_characters_or_lone_surrogates_is_refused(String name) {
        assertThatThrownBy(() -> SqlIdentifier.quote(name)).isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void a_name_the_server_would_truncate_is_refused_with_its_length_in_bytes() {
        assertThat(SqlIdentifier.quote("x".repeat(63))).hasSize(65);
        assertThatThrownBy(() -> SqlIdentifier.quote("x".repeat(64))).hasMessageContainingAll("63 bytes", "it has 64");
        assertThatThrownBy(() -> SqlIdentifier.quote("ä".repeat(32))).hasMessageContainingAll("63 bytes", "it has 64");
    }

    @Test
    void every_accepted_name_denotes_exactly_that_name_on_the_server() throws SQLException {
        long seed = Seeds.one();
        System.out.println("SQL identifiers' seed: " + seed);
        Random random = new Random(seed);
        int taken = 0;
        try (Connection connection = database.begin()) {
            for (int i = 0; i < 2_000; i++) {
                String name = name(random);
                Optional<String> quoted = quoted(name);
                assertThat(quoted.isPresent())
                        .as(
                                "%s in characters %s",
                                name, name.codePoints().boxed().toList())
                        .isEqualTo(isUsable(name));
                if (quoted.isPresent()) {
                    requireSameColumn(connection, name, quoted.get());
                    if (taken++ % 20 == 0 && !name.equals("public")) {
                        requireSameRole(connection, name, quoted.get());
                    }
                }
            }
        }
        assertThat(taken).isGreaterThan(500);
        assertThat(database.number("select count(*) from waybill.event")).isZero();
    }

    private static Optional<String> quoted(String name) {
        try {
            return Optional.of(SqlIdentifier.quote(name));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static String name(Random random) {
        StringBuilder name = new StringBuilder();
        int pieces = 1 + random.nextInt(5);
        for (int i = 0; i < pieces; i++) {
            switch (random.nextInt(12)) {
                case 0 -> name.append(REFUSED_PIECES[random.nextInt(REFUSED_PIECES.length)]);
                case 1 -> name.append((char) (' ' + random.nextInt(95)));
                case 2 -> name.appendCodePoint(random.nextInt(Character.MAX_CODE_POINT + 1));
                case 3 -> name.append("x".repeat(random.nextInt(70)));
                default -> name.append(PIECES[random.nextInt(PIECES.length)]);
            }
        }
        return name.toString();
    }

    /** Independent of the code under test: by what is unchanged after encoding as UTF-8 and decoding. */
    private static boolean isUsable(String name) {
        byte[] utf8 = name.getBytes(StandardCharsets.UTF_8);
        return !name.isBlank()
                && utf8.length <= 63
                && new String(utf8, StandardCharsets.UTF_8).equals(name)
                && !name.matches("(?s).*\\p{Cc}.*");
    }

    private static void requireSameColumn(Connection connection, String name, String quoted) throws SQLException {
        try (Statement statement = connection.createStatement();
                ResultSet row = statement.executeQuery("select 1 as " + quoted + ", 2 as last")) {
            assertThat(row.getMetaData().getColumnCount()).isEqualTo(2);
            assertThat(row.getMetaData().getColumnLabel(1)).isEqualTo(name);
        }
    }

    /** Grants to a role of that name, and rolls back. */
    private static void requireSameRole(Connection connection, String name, String quoted) throws SQLException {
        try (Statement statement = connection.createStatement();
                PreparedStatement lookup = connection.prepareStatement(
                        "select has_any_column_privilege(oid, 'waybill.event', 'insert') from pg_roles where rolname = ?")) {
            statement.execute("create role " + quoted);
            statement.execute(JournalSchema.grants(DatabaseRoles.NONE.producer(name)));
            lookup.setString(1, name);
            try (ResultSet row = lookup.executeQuery()) {
                assertThat(row.next()).as("a role named %s", name).isTrue();
                assertThat(row.getBoolean(1)).isTrue();
            }
        } finally {
            connection.rollback();
        }
    }
}
