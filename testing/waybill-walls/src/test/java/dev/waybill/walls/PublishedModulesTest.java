package dev.waybill.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** What modules that others depend on must have. */
class PublishedModulesTest {
    private static final Pattern ARTIFACT = Pattern.compile("<artifactId>(.*)</artifactId>\\s*<version>");

    @Test
    void the_bom_has_every_published_module_and_nothing_else() throws IOException {
        String bom = Files.readString(JarModule.ROOT.resolve("core/waybill-bom/pom.xml"));
        List<String> managed = ARTIFACT.matcher(
                        bom.substring(bom.indexOf("<dependencyManagement>"), bom.indexOf("</dependencyManagement>")))
                .results()
                .map((MatchResult match) -> match.group(1))
                .toList();

        assertThat(managed)
                .hasSizeGreaterThan(10)
                .containsExactlyInAnyOrderElementsOf(
                        JarModule.published().stream().map(JarModule::name).toList());
        assertThat(bom).doesNotContain("<parent>");
    }

    @Test
    void each_jar_names_a_java_module_of_its_own() {
        List<Optional<String>> names = JarModule.published().stream()
                .map(module -> module.property("waybill.module"))
                .toList();

        assertThat(names)
                .doesNotHaveDuplicates()
                .allSatisfy(name -> assertThat(name.orElse("none")).matches("dev\\.waybill(\\.[a-z]+)+"));
    }

    @Test
    void no_package_is_in_two_jars() {
        Map<String, String> owners = new HashMap<>();
        for (JarModule module : JarModule.published()) {
            for (String name : module.packages()) {
                assertThat(owners.put(name, module.name()))
                        .as("a second module with package %s, which %s has", name, module.name())
                        .isNull();
            }
        }
        assertThat(owners).containsKeys("dev.waybill", "dev.waybill.jdbc", "dev.waybill.server.cli");
    }

    @Test
    void each_pom_has_what_a_public_repository_asks_for() throws IOException {
        assertThat(Files.readString(JarModule.ROOT.resolve("pom.xml")))
                .contains("<url>", "<licenses>", "<developers>", "<scm ");
        assertThat(Files.readString(JarModule.ROOT.resolve("core/waybill-bom/pom.xml")))
                .contains("<name>", "<description>", "<url>", "<licenses>", "<developers>", "<scm>");
        assertThat(JarModule.published())
                .allSatisfy(module ->
                        assertThat(module.pom()).as(module.name()).contains("\n  <name>Waybill ", "\n  <description>"));
    }
}
