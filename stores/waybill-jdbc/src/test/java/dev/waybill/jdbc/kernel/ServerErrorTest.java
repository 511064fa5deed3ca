package dev.waybill.jdbc.kernel;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

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

    @ParameterizedTest
    @CsvSource({"HY000, 1205, Lock wait timeout exceeded", "HY000, 1290, The server is read only"})
    void an_error_without_a_value_is_reported(String state, int number, String words) {
        assertThat(ServerError.withoutRows(new SQLException(words, state, number))
                        .getMessage())
                .isEqualTo(words);
    }
}
