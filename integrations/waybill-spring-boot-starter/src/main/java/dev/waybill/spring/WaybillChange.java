package dev.waybill.spring;

import dev.waybill.jdbc.layout.TableLayout;
import java.sql.SQLException;
import java.util.Optional;
import liquibase.change.custom.CustomTaskChange;
import liquibase.database.Database;
import liquibase.database.jvm.JdbcConnection;
import liquibase.exception.CustomChangeException;
import liquibase.exception.ValidationErrors;
import liquibase.resource.ResourceAccessor;
import org.jspecify.annotations.Nullable;

/**
 * The change of Liquibase that creates the tables of an outbox and of the inbox, or brings them to the version of this Waybill. The
 * change log {@code dev/waybill/spring/liquibase/waybill.yaml} has it; include that in yours.
 */
public final class WaybillChange implements CustomTaskChange {
    private @Nullable String layout;

    /** The name of a preset layout. Default: the journal on PostgreSQL, Waybill's own table on other databases. */
    public void setLayout(String preset) {
        this.layout = preset;
    }

    @Override
    public void execute(Database database) throws CustomChangeException {
        JdbcConnection connection = (JdbcConnection) database.getConnection();
        try {
            OutboxTables.create(
                    connection.getUnderlyingConnection(),
                    Optional.ofNullable(layout).map(TableLayout::preset));
        } catch (SQLException e) {
            throw new CustomChangeException(
                    "The tables of the outbox and the inbox could not be created: " + e.getMessage(), e);
        }
    }

    @Override
    public String getConfirmationMessage() {
        return "the tables of the outbox and the inbox are there";
    }

    @Override
    public void setUp() {}

    @Override
    public void setFileOpener(ResourceAccessor resources) {}

    @Override
    public ValidationErrors validate(Database database) {
        return new ValidationErrors();
    }
}
