package dev.waybill.jsonschema;

import com.networknt.schema.AbsoluteIri;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaLocation;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import java.util.Arrays;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;

/** The metaschemas of the drafts, which come with the validator. */
final class StandardSchemas {
    private StandardSchemas() {}

    static boolean isOne(AbsoluteIri iri) {
        String address = iri.toString();
        return address.startsWith("https://json-schema.org/draft/")
                || address.startsWith("http://json-schema.org/draft-")
                || address.startsWith("classpath:draft");
    }

    /** The metaschema of this draft. */
    static Schema schemaOf(JsonNode node) {
        SpecificationVersion draft = node.has("$schema")
                ? SpecificationVersion.fromSchemaNode(node).orElseThrow(() -> unknown(node))
                : SpecificationVersion.DRAFT_2020_12;
        return SchemaRegistry.withDefaultDialect(draft).getSchema(SchemaLocation.of(draft.getDialectId()));
    }

    private static IllegalArgumentException unknown(JsonNode node) {
        String known = Arrays.stream(SpecificationVersion.values())
                .map(SpecificationVersion::getDialectId)
                .collect(Collectors.joining(", "));
        return new IllegalArgumentException("The JSON Schema names the draft " + node.get("$schema")
                + " in $schema, which is not known: use one of " + known + ", or leave it out for the last of them.");
    }
}
