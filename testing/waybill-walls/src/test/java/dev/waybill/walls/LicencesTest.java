package dev.waybill.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Everything published may be passed on under the Apache Licence, and contains the licence. */
class LicencesTest {
    /** Names as in bills of materials. If a component has several licences, one of these is enough. */
    private static final Set<String> ALLOWED = Set.of(
            "Apache-2.0",
            "MIT",
            "BSD-2-Clause",
            "BSD-3-Clause",
            // logback: dual-licensed, used unmodified. JUnit, for the contract suites.
            "EPL-1.0",
            "EPL-2.0",
            // RabbitMQ's client: one of three licences.
            "AL 2.0",
            "MPL-2.0",
            // MariaDB's driver: a separate jar, used unmodified and replaceable.
            "LGPL-2.1-or-later");

    /** Modules with a bill of materials of their own; the others are parts of these. */
    private static final List<String> WITH_A_BILL =
            List.of("waybill-server", "waybill-connect", "waybill-redis", "waybill-tck", "waybill-spring-boot-test");

    private static JsonNode bill(String module) {
        return JsonMapper.builder()
                .build()
                .readTree(directoryOf(module).resolve("target/bom.json").toFile());
    }

    private static Path directoryOf(String module) {
        return JarModule.all().stream()
                .filter(each -> each.name().equals(module))
                .findFirst()
                .orElseThrow()
                .directory();
    }

    private static Set<String> modulesThatShip() {
        return JarModule.published().stream().map(JarModule::name).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void every_part_has_a_licence_from_the_list_a_version_and_a_hash() {
        List<String> unfit = new ArrayList<>();
        int parts = 0;
        for (String module : WITH_A_BILL) {
            for (JsonNode part : bill(module).get("components")) {
                parts++;
                addFaults(module, part, unfit);
            }
        }
        assertThat(parts).isGreaterThan(50);
        assertThat(unfit).isEmpty();
    }

    private static void addFaults(String module, JsonNode part, List<String> unfit) {
        String name = module + ": " + part.get("name").asString() + " "
                + part.path("version").asString("without a version");
        if (part.path("version").isMissingNode() || part.path("hashes").isEmpty()) {
            unfit.add(name + " has no version or no hash");
        }
        if (licences(part).stream().noneMatch(ALLOWED::contains)) {
            unfit.add(name + " has " + licences(part));
        }
    }

    @Test
    void every_module_that_ships_is_in_a_bill() throws IOException {
        Set<String> billed = new TreeSet<>(WITH_A_BILL);
        for (String module : WITH_A_BILL) {
            for (JsonNode part : bill(module).get("components")) {
                billed.add(part.get("name").asString());
            }
        }
        assertThat(modulesThatShip()).hasSizeGreaterThan(8).isSubsetOf(billed);
    }

    @Test
    void every_module_that_ships_has_its_licence_and_notice_in_its_jar() throws IOException {
        for (String module : modulesThatShip()) {
            for (String file : List.of("LICENSE", "NOTICE")) {
                assertThat(directoryOf(module)
                                .resolve("target/classes/META-INF")
                                .resolve(file))
                        .hasSameTextualContentAs(Path.of("..", "..", file));
            }
        }
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
