package dev.waybill.spi;

import static org.assertj.core.api.Assertions.assertThat;

import java.sql.SQLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class TlsFailureTest {
    /** The words of MariaDB's driver 3.5, which is told to check and not whom to trust. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "(conn=7) Self signed certificates. Either set sslMode=trust, use password with a MitM-Proof authentication"
                        + " plugin or provide server certificate to client",
                "(conn=11) Cannot use authentication plugin mysql_native_password with a Self signed certificates. Either set"
                        + " sslMode=trust, use password with a MitM-Proof authentication plugin or provide server certificate to"
                        + " client"
            })
    void a_driver_that_knows_no_issuer_says_so_and_its_advice_is_known_for_bad(String message) {
        SQLException thrown = new SQLException("no connection", new SQLException(message));
        assertThat(TlsFailure.of(thrown)).contains(TlsFailure.UNKNOWN_ISSUER);
        assertThat(TlsFailure.advisesToTrustAll(thrown)).isTrue();
    }

    @Test
    void what_was_said_in_our_words_is_known_again() {
        for (TlsFailure failure : TlsFailure.values()) {
            SQLException thrown = new SQLException("store s failed: " + failure.what());
            assertThat(TlsFailure.of(thrown)).contains(failure);
            assertThat(TlsFailure.advisesToTrustAll(thrown)).isFalse();
        }
    }
}
