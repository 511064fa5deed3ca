package dev.waybill.registry;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import tools.jackson.databind.json.JsonMapper;

class JavaTypeCheckTest {
    private static final JsonMapper JSON = JsonMapper.builder().build();

    enum Status {
        PENDING,
        VERIFIED
    }

    record Step(Instant at, double weight) {}

    record LicenseChanged(
            String licenseId,
            int storeId,
            Status status,
            Optional<String> reason,
            List<Step> steps,
            Map<String, Integer> counts) {
        LicenseChanged {
            Objects.requireNonNull(licenseId);
        }
    }

    @Test
    void a_payload_that_can_be_read_fits() {
        assertThat(problems("""
                {"licenseId": "l-1", "storeId": 7, "status": "PENDING", "reason": "none",
                 "steps": [{"at": "2026-11-15T08:30:00Z", "weight": 1}], "counts": {"a": 1}}""")).isEmpty();
    }

    @Test
    void optional_values_may_be_missing_or_null() {
        assertThat(problems("{\"licenseId\": \"l-1\", \"storeId\": 7}")).isEmpty();
        assertThat(problems("{\"licenseId\": \"l-1\", \"storeId\": 7, \"reason\": null, \"steps\": null}"))
                .isEmpty();
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "{\"licenseId\": \"l\", \"storeId\": 7, \"othr\": \"SECRET\"} | /othr is a property that LicenseChanged does not have",
                "{\"licenseId\": \"l\", \"storeId\": \"SECRET\"} | /storeId cannot be read as int",
                "{\"licenseId\": \"l\", \"storeId\": \"7\"} | /storeId cannot be read as int",
                "{\"licenseId\": \"l\", \"storeId\": 7.5} | /storeId cannot be read as int",
                "{\"licenseId\": \"l\", \"storeId\": 99999999999} | /storeId cannot be read as int",
                "{\"licenseId\": \"l\", \"storeId\": true} | /storeId cannot be read as int",
                "{\"licenseId\": \"l\", \"storeId\": null} | /storeId cannot be read as",
                "{\"licenseId\": \"l\"} | /storeId cannot be read as",
                "{\"licenseId\": 4711, \"storeId\": 7} | /licenseId cannot be read as String",
                "{\"licenseId\": true, \"storeId\": 7} | /licenseId cannot be read as String",
                "{\"licenseId\": {\"x\": \"SECRET\"}, \"storeId\": 7} | /licenseId cannot be read as String",
                "{\"storeId\": 7} | the payload is refused by the constructor of LicenseChanged",
                "{\"licenseId\": \"l\", \"storeId\": 7, \"status\": \"SECRET\"} | /status cannot be read as Status",
                "{\"licenseId\": \"l\", \"storeId\": 7, \"status\": 0} | /status cannot be read as Status",
                "{\"licenseId\": \"l\", \"storeId\": 7, \"steps\": [{\"at\": \"SECRET\"}]} | /steps/0/at cannot be read as Instant",
                "{\"licenseId\": \"l\", \"storeId\": 7, \"counts\": {\"anna@SECRET\": \"x\"}} | /counts/(a name of 11 characters) cannot be read as Integer",
                "[] | the payload cannot be read as LicenseChanged",
                "\"SECRET\" | the payload cannot be read as LicenseChanged",
            })
    void an_unreadable_value_is_reported_with_its_path_and_without_its_value(String payload, String problem) {
        assertThat(problems(payload))
                .singleElement()
                .satisfies(told -> assertThat(told)
                        .startsWith(problem)
                        .doesNotContain("SECRET")
                        .doesNotContain("4711"));
    }

    private static List<String> problems(String payload) {
        return PayloadCheck.javaType(LicenseChanged.class).violations(JSON.readTree(payload)).stream()
                .map(Violation::toString)
                .toList();
    }
}
