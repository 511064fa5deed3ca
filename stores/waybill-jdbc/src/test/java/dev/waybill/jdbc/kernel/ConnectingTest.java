package dev.waybill.jdbc.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.testkit.Await;
import dev.waybill.testkit.SilentDatabase;
import java.sql.SQLException;
import java.time.Duration;
import java.util.concurrent.TimeUnit;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/** Data sources that never answer. */
@Timeout(value = 3, unit = TimeUnit.MINUTES)
class ConnectingTest {
    private final SilentDatabase database = new SilentDatabase();

    @Test
    void attempts_that_never_end_are_bounded_and_counted_down_when_they_do() throws Exception {
        DataSource silent = database.dataSource();
        for (int attempt = 0; attempt < Connecting.MOST_AT_ONCE; attempt++) {
            assertThatThrownBy(() -> Connecting.to(silent, Duration.ofMillis(1)))
                    .isInstanceOf(SQLException.class)
                    .hasMessageContaining("no connection within");
        }
        Await.until("every thread asks", () -> database.asked() == Connecting.MOST_AT_ONCE);

        assertThatThrownBy(() -> Connecting.to(silent, Duration.ofMinutes(1)))
                .isInstanceOf(SQLException.class)
                .hasMessageContainingAll(Connecting.MOST_AT_ONCE + " attempts", "login timeout");
        assertThat(database.asked()).isEqualTo(Connecting.MOST_AT_ONCE);
        database.goAway();
        Await.until("it may be asked again", () -> isAskedAgain(silent));
    }

    private boolean isAskedAgain(DataSource dataSource) {
        int before = database.asked();
        assertThatThrownBy(() -> Connecting.to(dataSource, Duration.ofMinutes(1)))
                .isInstanceOf(SQLException.class);
        return database.asked() > before;
    }
}
