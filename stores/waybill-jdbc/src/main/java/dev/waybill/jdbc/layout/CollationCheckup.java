package dev.waybill.jdbc.layout;

import dev.waybill.admin.Finding;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/** Checks whether a table distinguishes keys that differ only in case, accents or trailing spaces. */
public final class CollationCheckup {
    private static final String EXACT_POSTGRESQL = "alter table {table} alter column {column} type text collate \"C\"";

    private static final String EXACT_MARIADB =
            "alter table {table} convert to character set utf8mb4 collate " + MariaDbLayoutSql.COLLATION;

    private static final String EXACT_H2 =
            "alter table {table} alter column {column} set data type varchar_casesensitive";

    private static final String CASE_COUNTS_H2 = "set ignorecase false";

    private static final String SPACES = "spaces at their end";
    private static final String CASE_AND_SPACES = "case, accents or spaces at their end";

    private CollationCheckup() {}

    /** @param columns columns that must distinguish all texts */
    public static Finding of(Catalogue catalogue, TableDialect dialect, List<String> columns) throws SQLException {
        List<String> found = new ArrayList<>();
        Set<String> remedies = new LinkedHashSet<>();
        boolean onlySpaces = true;
        for (String column : columns) {
            String collation = catalogue.looseCollation(column).orElse("");
            if (!collation.isEmpty()) {
                found.add(column + " (" + collation + ")");
                onlySpaces &= onlySpaces(collation);
                remedies.addAll(remedies(catalogue, dialect, column));
            }
        }
        if (found.isEmpty()) {
            return Finding.fine("collation", catalogue.quotedTable() + " distinguishes keys by their bytes");
        }
        String what = catalogue.quotedTable() + " treats keys as equal that differ in "
                + (onlySpaces ? SPACES : CASE_AND_SPACES) + ": "
                + String.join(", ", found);
        String remedy = "While no process writes to it, run: " + String.join("; ", remedies);
        return onlySpaces ? Finding.warning("collation", what, remedy) : Finding.problem("collation", what, remedy);
    }

    /** What two texts differ in that a column of this loose collation treats as equal. */
    public static String differences(String collation) {
        return onlySpaces(collation) ? SPACES : CASE_AND_SPACES;
    }

    private static boolean onlySpaces(String collation) {
        return collation.endsWith("_bin");
    }

    private static List<String> remedies(Catalogue catalogue, TableDialect dialect, String column) {
        return switch (dialect) {
            case POSTGRESQL -> List.of(catalogue.in(EXACT_POSTGRESQL, column));
            case MARIADB -> List.of(catalogue.in(EXACT_MARIADB, column));
            case H2 -> List.of(CASE_COUNTS_H2, catalogue.in(EXACT_H2, column));
        };
    }
}
