package dev.waybill.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** Checks properties of the build itself. */
class BuildRulesTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final Pattern LEAST_MAVEN =
            Pattern.compile("<requireMavenVersion>\\s*<version>\\[([\\d.]+),\\)</version>");

    @Test
    void an_older_maven_is_refused_and_every_page_names_the_same_one() throws IOException {
        Matcher least = LEAST_MAVEN.matcher(read("pom.xml"));
        assertThat(least.find()).as("the enforcer's rule").isTrue();
        for (String page : List.of("README.md", "check", "waybill", "docs/security.md")) {
            assertThat(read(page)).as(page).contains("Maven " + least.group(1) + " or newer");
        }
    }

    @Test
    void jars_have_a_time_that_does_not_depend_on_when_they_are_built() throws IOException {
        assertThat(read("pom.xml")).containsPattern("<project.build.outputTimestamp>[\\d-]+T[\\d:]+Z<");
        assertThat(read("check")).contains("./build-twice");
    }

    @Test
    void every_version_is_a_release() throws IOException {
        assertThat(read("pom.xml").lines().filter(line -> line.contains("version>")))
                .filteredOn(line -> !line.contains("0.1.0-SNAPSHOT"))
                .noneMatch(line ->
                        line.matches("(?i).*version>[^<]*(-SNAPSHOT|-alpha|-beta|-rc|-M\\d|LATEST|RELEASE)[^<]*<.*"));
    }

    private static String read(String file) throws IOException {
        return Files.readString(ROOT.resolve(file));
    }
}
