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
    void an_untrusted_issuer_is_recognized_and_the_advice_to_trust_all_is_detected(String message) {
        SQLException thrown = new SQLException("no connection", new SQLException(message));
        assertThat(TlsFailure.of(thrown)).contains(TlsFailure.UNKNOWN_ISSUER);
        assertThat(TlsFailure.advisesToTrustAll(thrown)).isTrue();
    }

    @Test
    void our_own_description_of_a_failure_is_recognized() {
        for (TlsFailure failure : TlsFailure.values()) {
            SQLException thrown = new SQLException("store s failed: " + failure.what());
            assertThat(TlsFailure.of(thrown)).contains(failure);
            assertThat(TlsFailure.advisesToTrustAll(thrown)).isFalse();
        }
    }
}
