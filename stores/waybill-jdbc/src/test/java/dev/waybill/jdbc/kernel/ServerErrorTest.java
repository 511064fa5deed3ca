package dev.waybill.jdbc.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLDataException;
import java.sql.SQLException;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.util.PSQLException;
import org.postgresql.util.PSQLState;

/** Which parts of a server's error are reported. */
class ServerErrorTest {
    @ParameterizedTest
    @CsvSource({"22001, 1406", "23000, 1062", "HY000, 1366"})
    void an_error_about_a_value_does_not_quote_it(String state, int number) {
        SQLException said = new SQLException("Incorrect value: 'secret' for column payload", state, number);

        assertThat(ServerError.withoutRows(said).getMessage())
                .doesNotContain("secret")
                .contains("" + number);
    }

    /** PostgreSQL's driver and MariaDB's, for a text where a number is expected. */
    @Test
    void an_error_of_a_driver_about_a_value_does_not_quote_it() {
        for (SQLException said : List.of(
                new PSQLException("Bad value for type int : secret", PSQLState.NUMERIC_VALUE_OUT_OF_RANGE),
                new SQLDataException("value 'secret' cannot be decoded as Integer"))) {
            assertThat(ServerError.withoutRows(said).getMessage()).isEqualTo("the driver cannot convert a value");
        }
    }

    @ParameterizedTest
    @CsvSource({"HY000, 1205, Lock wait timeout exceeded", "HY000, 1290, The server is read only"})
    void an_error_without_a_value_is_reported(String state, int number, String words) {
        assertThat(ServerError.withoutRows(new SQLException(words, state, number))
                        .getMessage())
                .isEqualTo(words);
    }
}
