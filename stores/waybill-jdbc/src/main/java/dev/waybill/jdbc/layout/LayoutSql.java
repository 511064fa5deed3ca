package dev.waybill.jdbc.layout;

import java.util.List;

/** What is said in another way on each database. Names stand in braces, for {@link LayoutNames} to fill in. */
public interface LayoutSql {
    /** The type of a layout's column. */
    String type(TableLayout layout, TableColumn column);

    /** What stands for a value of this column in an insert. */
    String parameter(TableLayout layout, TableColumn column);

    /**
     * The database's clock while the statement runs, in the form of the layout's time columns. Not that of the
     * transaction's start: a transaction that waited for a lock would be dated before the one it waited for.
     */
    String statementTime(TableLayout layout, int plusMicros);

    /** What a row gets as its created_at that was inserted without one. */
    String defaultTime(TableLayout layout);

    /** How a column says that the database numbers it. */
    String identity();

    /** What stands behind a key of a new table. */
    String keyOptions();

    /** What stands behind the columns of a new table. */
    String tableOptions();

    /** The statement that creates a table, with text that tells case apart whatever the database was set to. */
    String withExactText(String createTable);

    /** Whether indexes are made with the table or by statements of their own. */
    boolean indexesInTable();

    /** Whether an index can be on pending rows only. */
    boolean partialIndexes();

    /** Says in the schema's versions that this one was applied; may have been said already. */
    String recordVersion();

    /** Keeps others from creating the same, until the transaction ends; empty where the database sees to it. */
    List<String> lockSchema();
}
