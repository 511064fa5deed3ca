package dev.waybill.postgres;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.spi.StoreRefusedException;
import java.sql.SQLException;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;

/** Runs the statements that a refusal tells the operator to run. */
public final class Remedy {
    private static final Pattern STATEMENT = Pattern.compile("`([^`]*)`");

    private Remedy() {}

    /** Runs the statements in the message of the refusal. */
    public static void run(ThrowingCallable refused, JournalDatabase database) {
        assertThatThrownBy(refused)
                .isInstanceOf(StoreRefusedException.class)
                .satisfies(refusal -> run(refusal.getMessage(), database));
    }

    public static void run(String message, JournalDatabase database) {
        Matcher statement = STATEMENT.matcher(message);
        int found = 0;
        try {
            for (; statement.find(); found++) {
                database.execute(statement.group(1));
            }
        } catch (SQLException e) {
            throw new IllegalStateException(e);
        }
        assertThat(found).isGreaterThan(1);
    }
}
