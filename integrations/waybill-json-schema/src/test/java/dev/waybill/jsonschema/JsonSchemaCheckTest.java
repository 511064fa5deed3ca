package dev.waybill.jsonschema;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import dev.waybill.registry.Violation;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.json.JsonMapper;

class JsonSchemaCheckTest {
    private static final JsonMapper JSON = JsonMapper.builder()
            .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
            .build();
    private static final String LICENSE = """
            {"$schema": "https://json-schema.org/draft/2020-12/schema",
             "type": "object",
             "properties": {
               "licenseId": {"type": "string", "format": "uuid"},
               "storeId": {"type": "integer", "minimum": 1},
               "status": {"enum": ["pending", "verified", "rejected"]},
               "reason": {"type": "string", "maxLength": 20, "pattern": "^[a-z ]*$"},
               "history": {"type": "array", "items": {"$ref": "#/$defs/step"}}},
             "required": ["licenseId", "storeId", "status"],
             "additionalProperties": false,
             "$defs": {"step": {"type": "object", "required": ["at"],
                                "properties": {"at": {"type": "string", "format": "date-time"}}}}}""";

    @Test
    void a_valid_payload_has_no_violations() {
        assertThat(problems(LICENSE, """
                {"licenseId": "0198a6c0-7a52-7000-8000-000000000001", "storeId": 7, "status": "pending",
                 "history": [{"at": "2026-11-15T08:30:00Z"}]}""")).isEmpty();
    }

    @Test
    void every_violation_is_reported_with_its_path_and_without_its_value() {
        assertThat(problems(LICENSE, """
                {"licenseId": "SECRET", "storeId": -4711, "reason": "SECRET SECRET SECRET SECRET",
                 "history": [{"at": "2026-11-15T08:30:00Z"}, {"at": "SECRET"}, {}, "SECRET"], "other": "SECRET"}"""))
                .containsExactlyInAnyOrder(
                        "/licenseId does not have the format \"uuid\"",
                        "/storeId breaks the rule minimum 1",
                        "/reason breaks the rule maxLength 20",
                        "/reason does not match the pattern \"^[a-z ]*$\"",
                        "/history/1/at does not have the format \"date-time\"",
                        "/history/2/at is missing",
                        "/history/3 is not of type \"object\"",
                        "/status is missing",
                        "/other is not allowed");
    }

    /** Patterns on them overflow the stack, or try for minutes. */
    @ParameterizedTest
    @ValueSource(
            strings = {
                "{\"format\": \"hostname\"}",
                "{\"format\": \"idn-hostname\"}",
                "{\"format\": \"uri-template\"}",
                "{\"format\": \"json-pointer\"}",
                "{\"format\": \"regex\"}",
                "{\"format\": \"email\"}",
                "{\"format\": \"uri\"}",
                "{\"format\": \"iri\"}",
                "{\"format\": \"duration\"}",
                "{\"format\": \"date-time\"}",
                "{\"pattern\": \"^(a|b)*$\"}",
                "{\"pattern\": \"^(a+)+$\"}",
                "{\"pattern\": \"^(a|aa)+$\"}",
                "{\"patternProperties\": {\"^(a+)+$\": true}, \"pattern\": \"(a*)*c\"}"
            })
    void a_hostile_text_only_violates_the_rule(String schema) {
        for (String text :
                List.of("a".repeat(40_000) + "!", "(".repeat(40_000), "{a".repeat(20_000), "ab".repeat(20_000) + "!")) {
            assertThat(problems(schema, JSON.writeValueAsString(text)))
                    .as("%s on %s…", schema, text.substring(0, 5))
                    .hasSize(1);
        }
    }

    @Test
    void many_slow_texts_share_one_time() {
        String texts = JSON.writeValueAsString(Collections.nCopies(1_000, "x".repeat(2_000)));

        assertThat(problems("{\"items\": {\"pattern\": \"(x+x+)+y\"}}", texts))
                .singleElement()
                .asString()
                .contains("cannot be checked", "longer than");
        assertThat(problems("{\"items\": {\"pattern\": \"(x+x+)+y\"}}", "[\"xxy\"]"))
                .as("the next one has all its time")
                .isEmpty();
    }

    @Test
    void an_endlessly_recursive_schema_affects_only_its_payload() {
        assertThat(problems("{\"$ref\": \"#/$defs/a\", \"$defs\": {\"a\": {\"$ref\": \"#/$defs/a\"}}}", "{}"))
                .singleElement()
                .asString()
                .contains("cannot be checked");
    }

    @ParameterizedTest
    @ValueSource(strings = {"[]", "\"SECRET\"", "5", "true"})
    void a_payload_that_is_not_an_object_is_reported(String payload) {
        assertThat(problems(LICENSE, payload)).containsExactly("the payload is not of type \"object\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"enum\": [1, 2]} | 3 | the payload is not one of [1,2]",
                "{\"const\": {\"a\": 1}} | 4711 | the payload is not {\"a\":1}",
                "{\"multipleOf\": 0.01} | 0.015 | the payload breaks the rule multipleOf 0.01",
                "{\"minItems\": 1} | [] | the payload breaks the rule minItems 1",
                "{\"uniqueItems\": true} | [7, 7] | the payload breaks the rule uniqueItems true",
                "{\"not\": {}} | 4711 | the payload breaks the rule not",
                "{\"type\": [\"string\", \"null\"]} | 4711 | the payload is not of type [\"string\",\"null\"]",
                "{\"propertyNames\": {\"maxLength\": 2}} | {\"abc\": 1} | /abc is not allowed",
                "{\"dependentRequired\": {\"a\": [\"b\"]}} | {\"a\": 4711} | /a breaks the rule dependentRequired",
                "{\"oneOf\": [{\"type\": \"string\"}, {\"minimum\": 5}]} | 3 | breaks the rule minimum 5",
            })
    void violated_rules_are_named_with_their_values(String schema, String payload, String problem) {
        assertThat(problems(schema, payload))
                .anyMatch(told -> told.contains(problem))
                .noneMatch(told -> told.contains("4711"));
    }

    @Test
    void numbers_are_compared_as_they_are_written_and_not_as_doubles() {
        String schema = "{\"maximum\": 9007199254740993}";
        assertThat(problems(schema, "9007199254740993")).isEmpty();
        assertThat(problems(schema, "9007199254740993.5")).hasSize(1);
        assertThat(problems("{\"type\": \"number\"}", "1e400")).isEmpty();
    }

    @Test
    void an_older_draft_is_respected() {
        String draft7 = """
                {"$schema": "http://json-schema.org/draft-07/schema#",
                 "definitions": {"id": {"type": "integer"}},
                 "items": [{"$ref": "#/definitions/id"}]}""";
        assertThat(problems(draft7, "[1, \"x\"]")).isEmpty();
        assertThat(problems(draft7, "[\"x\"]")).containsExactly("/0 is not of type \"integer\"");
    }

    @Test
    void a_name_that_may_be_personal_is_not_shown() {
        assertThat(problems(
                        "{\"additionalProperties\": {\"type\": \"integer\"}}",
                        "{\"anna@example.org\": \"x\", \"4915112345678\": \"x\"}"))
                .containsExactlyInAnyOrder(
                        "/(a name of 16 characters) is not of type \"integer\"",
                        "/(a name of 13 characters) is not of type \"integer\"");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"type\": | is not JSON",
                "[] | not an object with at least one keyword",
                "{} | not an object with at least one keyword",
                "true | not an object with at least one keyword",
                "{\"type\": \"strng\"} | breaks the rules of its draft",
                "{\"required\": \"a\"} | breaks the rules of its draft",
                "{\"properties\": {\"a\": {\"minLength\": -1}}} | breaks the rules of its draft",
                "{\"pattern\": \"(\"} | cannot be used",
                "{\"$schema\": \"https://example.org/mine\"} | is not known",
                "{\"$ref\": \"#/$defs/none\"} | cannot be used",
                "{\"$ref\": \"https://example.org/other.json\"} | cannot be used",
                "{\"$ref\": \"other.json\"} | cannot be used",
                "{\"properties\": {\"a\": {\"$ref\": \"file:/etc/hostname\"}}} | cannot be used",
                "{\"items\": {\"$ref\": \"classpath:secret.json\"}} | cannot be used"
            })
    void an_invalid_or_external_schema_is_refused_at_once(String schema, String why) {
        assertThatThrownBy(() -> JsonSchemaCheck.of(schema))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining(why);
    }

    /** As deep as the registry's limits let payloads be at all. */
    @Test
    void a_schema_that_refers_to_itself_is_followed_down_to_the_deepest_payload() {
        String tree = "{\"type\": \"array\", \"items\": {\"$ref\": \"#\"}}";
        assertThat(problems(tree, "[".repeat(499) + "5" + "]".repeat(499))).hasSize(1);
        assertThat(problems(tree, "[".repeat(500) + "]".repeat(500))).isEmpty();
    }

    private static List<String> problems(String schema, String payload) {
        return JsonSchemaCheck.of(schema).violations(JSON.readTree(payload)).stream()
                .map(Violation::toString)
                .toList();
    }
}
