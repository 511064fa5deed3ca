package dev.waybill.jdbc.layout;

import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * Inserts a layout's quoted names into the statements of a dialect. Placeholders are <code>{table}</code>, the side tables
 * <code>{relay}</code>, <code>{claim}</code>, <code>{audit}</code>, <code>{replay}</code> and <code>{schema_version}</code>, each
 * column by its purpose (<code>{aggregate_id}</code>), and the conditions <code>{is_pending}</code> and <code>{is_published}</code>.
 */
public final class LayoutNames {
    private static final Pattern PLACE = Pattern.compile("\\{([a-z_]+)}");

    private final TableLayout layout;
    private final TableDialect dialect;
    private final Map<String, String> names = new HashMap<>();

    public LayoutNames(TableLayout layout, TableDialect dialect) {
        this.layout = layout;
        this.dialect = dialect;
        names.put("table", table(layout.table()));
        for (String side : new String[] {"relay", "claim", "audit", "replay", "schema_version"}) {
            names.put(side, table("waybill_" + side));
        }
        layout.columns()
                .forEach((column, name) -> names.put(column.name().toLowerCase(Locale.ROOT), dialect.quote(name)));
        if (!layout.has(TableColumn.CREATED_AT)) {
            names.put("created_at", dialect.sql().noTime(layout));
        }
        names.put("is_pending", isPending());
        names.put("is_published", isPublished());
    }

    private String table(String name) {
        return layout.schema().map(schema -> dialect.quote(schema) + ".").orElse("") + dialect.quote(name);
    }

    /** The statement with all placeholders replaced. */
    public String in(String statement) {
        Matcher place = PLACE.matcher(statement);
        return place.replaceAll(found -> {
            String name = names.get(found.group(1));
            if (name == null) {
                throw new IllegalStateException(
                        "A statement needs {" + found.group(1) + "}, which " + layout + " does not have.");
            }
            return Matcher.quoteReplacement(name);
        });
    }

    /** Status words are literals, so that a partial index on them is used. They contain only letters, digits, _ and -. */
    private String isPending() {
        if (layout.state() instanceof TableState.Words words) {
            return names.get("state") + " = '" + words.pending() + "'";
        }
        if (layout.state() instanceof TableState.Flag) {
            return names.get("state") + " = false";
        }
        if (layout.state() instanceof TableState.Presence) {
            return "1 = 1";
        }
        String unpublished = names.get("published_at") + " is null";
        return layout.has(TableColumn.ATTEMPTS)
                ? unpublished + " and " + names.get("attempts") + " < " + layout.maxAttempts()
                : unpublished;
    }

    private String isPublished() {
        if (layout.state() instanceof TableState.Words words) {
            return names.get("state") + " = '" + words.published() + "'";
        }
        if (layout.state() instanceof TableState.Presence) {
            return "1 = 0";
        }
        return layout.state() instanceof TableState.Flag
                ? names.get("state") + " = true"
                : names.get("published_at") + " is not null";
    }
}
