package dev.waybill.jdbc.kernel;

import dev.waybill.admin.Finding;
import dev.waybill.spi.TlsFailure;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;

/** Runs checks one after another on one connection. A check that fails is a finding itself and does not stop the others. */
public final class Examination implements Statements {
    private static final String RECONNECT =
            "Start it, or correct its address, user and password; relays keep retrying by themselves.";

    private static final String WAIT =
            "End the transaction that holds the lock, which the finding locks names if it is known, and run this again.";

    private final Connection connection;
    private final List<Finding> findings = new ArrayList<>();

    /** All checks of a store. */
    public interface Looks {
        void at(Examination examination) throws SQLException;
    }

    /** One check. */
    public interface Look {
        Finding take() throws SQLException;
    }

    private Examination(Connection connection) {
        this.connection = connection;
    }

    /** Sets nothing in the server's session, which may be shared. */
    public static List<Finding> of(DataSource dataSource, Looks looks) {
        return of(dataSource, SessionSettings.NONE, looks);
    }

    public static List<Finding> of(DataSource dataSource, SessionSettings.Applying settings, Looks looks) {
        BorrowedConnection borrowed;
        try {
            borrowed = BorrowedConnection.toLook(dataSource, settings);
        } catch (SQLException e) {
            return List.of(Finding.problem(
                    "connection",
                    "the database cannot be reached (" + words(e) + ")",
                    TlsFailure.of(e)
                            .map(TlsFailure::remedy)
                            .or(() -> SqlRemedy.of(e))
                            .orElse(RECONNECT)));
        }
        try {
            return new Examination(borrowed.connection()).findings(looks);
        } finally {
            borrowed.giveBack();
        }
    }

    /** Findings made before an error are kept. */
    private List<Finding> findings(Looks looks) {
        try {
            looks.at(this);
        } catch (SQLException e) {
            findings.add(Finding.problem("checks", "the other checks could not be made (" + words(e) + ")", remedy(e)));
        }
        return List.copyOf(findings);
    }

    public void look(String subject, Look look) {
        try {
            findings.add(look.take());
        } catch (SQLException e) {
            findings.add(Finding.warning(subject, "cannot be told (" + words(e) + ")", remedy(e)));
        }
    }

    /** A check that finds nothing if all is well. */
    public void lookFor(String subject, SqlWork<Optional<Finding>> look) {
        try {
            look.run().ifPresent(findings::add);
        } catch (SQLException e) {
            findings.add(Finding.warning(subject, "cannot be told (" + words(e) + ")", remedy(e)));
        }
    }

    private static String remedy(SQLException e) {
        return SqlRemedy.of(e).orElseGet(() -> switch (SqlFailure.of(e)) {
            case UNAVAILABLE -> RECONNECT;
            case CONFLICT -> WAIT;
            case DUPLICATE, OTHER ->
                "Run this check as a role that may read the schema waybill and the server's statistics.";
        });
    }

    public Connection connection() {
        return connection;
    }

    @Override
    public PreparedStatement prepare(String text) throws SQLException {
        return connection.prepareStatement(text);
    }

    @Override
    public void release(PreparedStatement statement) throws SQLException {
        statement.close();
    }

    /**
     * Whether the role has the privilege to run this statement, which must not change anything.
     *
     * @throws SQLException if that cannot be told now
     */
    public boolean mayRun(String sql) throws SQLException {
        try {
            execute(sql);
            return true;
        } catch (SQLException e) {
            if (SqlFailure.mayPass(e)) {
                throw e;
            }
            return false;
        }
    }

    public static String words(SQLException e) {
        return ServerError.withoutRows(e).getMessage() + ", SQLSTATE " + e.getSQLState();
    }
}
