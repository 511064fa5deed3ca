package dev.waybill.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** What the process is made of may be passed on under the Apache Licence beside it. */
class LicencesTest {
    /** As they are spelt in bills of materials. Of several licences of one part, one is enough. */
    private static final Set<String> ALLOWED = Set.of(
            "Apache-2.0",
            "MIT",
            "BSD-2-Clause",
            "BSD-3-Clause",
            // logback: a choice of two, used as it is.
            "EPL-1.0",
            "EPL-2.0",
            // RabbitMQ's client: a choice of three.
            "AL 2.0",
            "MPL-2.0",
            // MariaDB's driver: a jar of its own, used as it is, and replaceable.
            "LGPL-2.1-or-later");

    private static final Path BILL = Path.of("..", "waybill-server", "target", "bom.json");

    @Test
    void every_part_has_a_licence_from_the_list_a_version_and_a_hash() {
        JsonNode components =
                JsonMapper.builder().build().readTree(BILL.toFile()).get("components");
        assertThat(components.size()).isGreaterThan(50);
        List<String> unfit = new ArrayList<>();
        for (JsonNode part : components) {
            String name =
                    part.get("name").asString() + " " + part.path("version").asString("without a version");
            if (part.path("version").isMissingNode() || part.path("hashes").isEmpty()) {
                unfit.add(name + " has no version or no hash");
            }
            if (licences(part).stream().noneMatch(ALLOWED::contains)) {
                unfit.add(name + " has " + licences(part));
            }
        }
        assertThat(unfit).isEmpty();
    }

    private static List<String> licences(JsonNode part) {
        List<String> licences = new ArrayList<>();
        for (JsonNode entry : part.path("licenses")) {
            JsonNode licence = entry.path("license");
            licences.add(
                    licence.has("id")
                            ? licence.get("id").asString()
                            : licence.path("name")
                                    .asString(entry.path("expression").asString("none")));
        }
        return licences;
    }
}
