package dev.waybill.jsonschema;

import com.networknt.schema.ExecutionContext;
import com.networknt.schema.SchemaContext;
import com.networknt.schema.format.Format;

/**
 * A format such as {@code hostname} or {@code uri-template}, checked on short texts only: the patterns of formats need a deep stack
 * or a long time for long texts, and no value of such a format is long.
 */
record ShortFormat(Format format) implements Format {
    private static final int LONGEST = 4_096;

    @Override
    public String getName() {
        return format.getName();
    }

    @Override
    public String getMessageKey() {
        return format.getMessageKey();
    }

    @Override
    public boolean matches(ExecutionContext execution, SchemaContext schema, String value) {
        CheckTime.requireSome();
        return value.length() <= LONGEST && format.matches(execution, schema, value);
    }
}
