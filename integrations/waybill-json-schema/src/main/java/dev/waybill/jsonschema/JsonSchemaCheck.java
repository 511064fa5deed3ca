package dev.waybill.jsonschema;

import com.networknt.schema.Error;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaException;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SchemaRegistryConfig;
import com.networknt.schema.SpecificationVersion;
import com.networknt.schema.dialect.BasicDialectRegistry;
import com.networknt.schema.dialect.Dialect;
import com.networknt.schema.dialect.Dialects;
import com.networknt.schema.path.NodePath;
import dev.waybill.registry.PayloadCheck;
import dev.waybill.registry.Violation;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Checks payloads against a JSON Schema, of the draft that the schema names in {@code $schema}, by default 2020-12. Formats such as {@code
 * date-time} and {@code uuid} are checked. A schema must be self-contained: nothing is fetched
 * from elsewhere. Safe for use by many threads.
 */
public final class JsonSchemaCheck implements PayloadCheck {
    private static final JsonMapper MAPPER = JsonMapper.builder().build();
    private static final SchemaRegistryConfig CONFIG = SchemaRegistryConfig.builder()
            .formatAssertionsEnabled(true)
            .preloadSchema(true)
            .regularExpressionFactory(TimedRegularExpression::new)
            .build();
    private static final List<Dialect> DIALECTS = Stream.of(
                    Dialects.getDraft202012(),
                    Dialects.getDraft201909(),
                    Dialects.getDraft7(),
                    Dialects.getDraft6(),
                    Dialects.getDraft4())
            .map(JsonSchemaCheck::withShortFormats)
            .toList();

    private final Schema schema;

    private JsonSchemaCheck(Schema schema) {
        this.schema = schema;
    }

    /**
     * @param schema a JSON Schema, as JSON text
     * @throws IllegalArgumentException if it is not valid; the message says why
     */
    public static JsonSchemaCheck of(String schema) {
        JsonNode node = read(schema);
        requireSchema(node);
        try {
            SchemaRegistry alone = SchemaRegistry.withDefaultDialect(
                    SpecificationVersion.DRAFT_2020_12,
                    builder -> builder.dialectRegistry(new BasicDialectRegistry(DIALECTS))
                            .schemaRegistryConfig(CONFIG)
                            .schemaLoader(loader -> loader.allow(StandardSchemas::isOne)));
            Schema compiled = alone.getSchema(node);
            compiled.initializeValidators();
            return new JsonSchemaCheck(compiled);
        } catch (SchemaException e) {
            throw new IllegalArgumentException("The JSON Schema cannot be used: "
                    + String.valueOf(e.getMessage()).lines().findFirst().orElse("no reason given")
                    + ". (A schema must contain everything it refers to, under $defs.)");
        }
    }

    private static Dialect withShortFormats(Dialect dialect) {
        return Dialect.builder(dialect)
                .formats(formats -> formats.replaceAll((name, format) -> new ShortFormat(format)))
                .build();
    }

    private static JsonNode read(String schema) {
        try {
            return MAPPER.readTree(schema);
        } catch (JacksonException e) {
            throw new IllegalArgumentException("The JSON Schema is not JSON: " + e.getOriginalMessage() + ".");
        }
    }

    /** Checks the schema against its metaschema: a misspelt type or a wrong pattern must not accept everything. */
    private static void requireSchema(JsonNode node) {
        if (!node.isObject() || node.isEmpty()) {
            throw new IllegalArgumentException("The JSON Schema is not an object with at least one keyword:"
                    + " such a schema would accept everything.");
        }
        List<Error> errors = StandardSchemas.schemaOf(node).validate(node);
        if (!errors.isEmpty()) {
            Set<String> messages = new LinkedHashSet<>();
            errors.forEach(error -> messages.add(error.toString()));
            throw new IllegalArgumentException(
                    "The JSON Schema breaks the rules of its draft: " + String.join("; ", messages) + ".");
        }
    }

    @Override
    public List<Violation> violations(JsonNode payload) {
        CheckTime.begin();
        try {
            List<Violation> violations = new ArrayList<>();
            for (Error error : schema.validate(payload)) {
                violations.add(new Violation(path(error), SchemaWords.problem(error)));
            }
            return violations;
        } catch (CheckTime.OverError e) {
            return List.of(new Violation(List.of(), "cannot be checked: matching a pattern " + e.getMessage()));
        } catch (StackOverflowError e) {
            return List.of(new Violation(
                    List.of(),
                    "cannot be checked: a pattern on a long text, or the schema's nesting, overflows the stack"));
        } finally {
            CheckTime.end();
        }
    }

    private static List<Object> path(Error error) {
        NodePath location = error.getInstanceLocation();
        List<Object> path = new ArrayList<>();
        for (int i = 0; i < location.getNameCount(); i++) {
            path.add(location.getElement(i));
        }
        if (SchemaWords.isAboutProperty(error)) {
            path.add(error.getProperty());
        }
        return path;
    }

    @Override
    public String toString() {
        return "JSON Schema";
    }
}
