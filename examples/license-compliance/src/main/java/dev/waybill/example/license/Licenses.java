package dev.waybill.example.license;

import dev.waybill.Event;
import dev.waybill.Payload;
import dev.waybill.jdbc.JdbcOutbox;
import dev.waybill.jdbc.layout.TableLayout;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import javax.sql.DataSource;

/** Changes licenses; each change and its event are in one transaction. */
final class Licenses {
    private static final String UPLOAD = """
            insert into licenses (status, reason, id, store_id) values (?, ?, ?, ?) on conflict (id) do nothing""";
    private static final String DECIDE = """
            update licenses set status = ?, reason = ? where id = ? and store_id = ? and status = 'pending'""";

    private final DataSource database;
    private final JdbcOutbox outbox = JdbcOutbox.table(TableLayout.pubsub());

    Licenses(DataSource database) {
        this.database = database;
    }

    /**
     * A new license is pending; a decision makes it verified or rejected.
     *
     * @return false if the change was made before
     */
    boolean change(LicenseStatusChanged change) throws SQLException {
        try (Connection transaction = database.getConnection()) {
            transaction.setAutoCommit(false);
            try {
                boolean changed = apply(transaction, change);
                if (changed) {
                    emit(transaction, change);
                }
                transaction.commit();
                return changed;
            } catch (SQLException | RuntimeException e) {
                transaction.rollback();
                throw e;
            }
        }
    }

    private static boolean apply(Connection transaction, LicenseStatusChanged change) throws SQLException {
        try (PreparedStatement statement =
                transaction.prepareStatement(change.status().equals("pending") ? UPLOAD : DECIDE)) {
            statement.setString(1, change.status());
            statement.setString(2, change.reason());
            statement.setString(3, change.licenseId());
            statement.setLong(4, change.storeId());
            return statement.executeUpdate() == 1;
        }
    }

    private void emit(Connection transaction, LicenseStatusChanged change) {
        outbox.append(
                transaction,
                Event.of(LicenseStatusChanged.TYPE)
                        .aggregate("license", change.licenseId())
                        .payload(Payload.jsonOf(change)));
    }
}
