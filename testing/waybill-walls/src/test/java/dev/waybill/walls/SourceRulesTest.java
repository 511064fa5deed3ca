package dev.waybill.walls;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** Rules that need the source text. */
class SourceRulesTest {
    private static final Path ROOT = Path.of("..", "..").toAbsolutePath().normalize();
    private static final List<String> SQL_MODULES = List.of("waybill-jdbc", "waybill-postgres", "waybill-table");
    private static final Pattern SQL = Pattern.compile(
            "\"(\"\"\\s*)?((select|insert into|update|delete from|create|alter|drop|grant|with)\\s+[\\w(*'?]"
                    + "|set (local|session|transaction|\\w+ =))");
    private static final Pattern SLEEP =
            Pattern.compile("(Thread|TimeUnit|SECONDS|MILLISECONDS)\\s*\\.\\s*sleep\\s*\\(");
    /** Anything but a constant, and what is derived from {@code Seeds}, chooses anew in each run. */
    private static final Pattern CHANCE = Pattern.compile(
            "new (Splittable)?Random\\(\\s*\\)|\\bThreadLocalRandom\\b|\\bMath\\s*\\.\\s*random\\(|\\bRandomGenerator\\b"
                    + "|Collections\\.shuffle\\([^,()]*(\\([^()]*\\))?[^,()]*\\)"
                    + "|\"waybill\\.seeds?\"|(?i)seed\\w*\\s*(=|\\+|\\()[^;]*\\b(nanoTime|currentTimeMillis|millis|hashCode|randomUUID)\\s*\\("
                    + "|new Random\\([^;]*\\b(nanoTime|currentTimeMillis|millis|hashCode|randomUUID)\\s*\\(");

    private static final Pattern DISABLED = Pattern.compile("(?m)^[^\"*/]*@(?:[a-z.]+\\.)?Disabled");

    @Test
    void sql_stands_only_in_stores() {
        assertThat(offenders(
                        path -> path.toString().contains("/src/main/")
                                && !path.toString().contains("/testing/")
                                && !path.toString().contains("/tools/")
                                && !path.toString().contains("/examples/")
                                && SQL_MODULES.stream().noneMatch(module -> inMain(path, module)),
                        source -> SQL.matcher(source).find()))
                .isEmpty();
    }

    @Test
    void the_search_for_sql_finds_sql() {
        assertThat(SQL.matcher("String a = \"select id from x\";").find()).isTrue();
        assertThat(SQL.matcher("String a = \"select 1\";").find()).isTrue();
        assertThat(SQL.matcher("String a = \"\"\"\n    update x set y = 1\"\"\"")
                        .find())
                .isTrue();
        assertThat(SQL.matcher("String a = \"set local lock_timeout = 0\";").find())
                .isTrue();
        assertThat(SQL.matcher("log.info(\"selected 5 of 7\")").find()).isFalse();
        assertThat(SQL.matcher("log.info(\"set acks to all\")").find()).isFalse();
    }

    @Test
    void no_test_sleeps() {
        assertThat(offenders(
                        path -> path.toString().contains("/src/test/") && !path.endsWith("SourceRulesTest.java"),
                        source -> SLEEP.matcher(source).find()))
                .isEmpty();
        assertThat(SLEEP.matcher("Thread" + ".sleep(5)").find()).isTrue();
        assertThat(SLEEP.matcher("TimeUnit.SECONDS" + ".sleep(5)").find()).isTrue();
    }

    @Test
    void what_tests_choose_is_decided_by_seeds_alone() {
        assertThat(offenders(
                        path -> (path.toString().contains("/src/test/")
                                        || path.toString().contains("/testing/"))
                                && !path.toString().contains("/dev/waybill/tck/Seeds.java")
                                && !path.toString().contains("/dev/waybill/tck/DerivedSeeds.java")
                                && !path.endsWith("SourceRulesTest.java"),
                        source -> CHANCE.matcher(source).find()))
                .as("take the seed from Seeds")
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "Random random = new Random();",
                "new SplittableRandom()",
                "ThreadLocalRandom.current().nextInt(5)",
                "Math.random() < 0.5",
                "RandomGenerator.getDefault()",
                "Collections.shuffle(names);",
                "Collections.shuffle(commands());",
                "Long.getLong(\"waybill.seed\", 7)",
                "Integer.getInteger(\"waybill.seeds\", 5)",
                "long seed = System.nanoTime();",
                "long seed =\n        System.currentTimeMillis();",
                "new Random(System.nanoTime() + number)",
                "new Random(UUID.randomUUID().hashCode())"
            })
    void the_search_for_chance_finds_it(String source) {
        assertThat(CHANCE.matcher(source).find()).isTrue();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "new Random(7)",
                "new Random(seed + number)",
                "Collections.shuffle(names, new Random(seed));",
                "Collections.shuffle(deliveries, random);",
                "long seed = Seeds.one();\nlong began = System.nanoTime();",
                "System.getProperty(\"waybill.baseSeed\", \"1\")"
            })
    void the_search_for_chance_leaves_derived_seeds(String source) {
        assertThat(CHANCE.matcher(source).find()).isFalse();
    }

    @Test
    void no_test_is_disabled() {
        assertThat(offenders(path -> true, source -> DISABLED.matcher(source).find()))
                .isEmpty();
        assertThat(DISABLED.matcher("    @Test\n    @" + "Disabled(\"later\")\n")
                        .find())
                .isTrue();
        assertThat(DISABLED.matcher("@org.junit.jupiter.api." + "Disabled").find())
                .isTrue();
        assertThat(DISABLED.matcher("    @" + "DisabledOnOs(OS.MAC)").find()).isTrue();
    }

    @Test
    void every_package_that_ships_is_checked_for_nulls() throws IOException {
        List<Path> packages;
        try (Stream<Path> files = Files.walk(ROOT)) {
            packages = files.filter(path ->
                            path.toString().endsWith(".java") && path.toString().contains("/src/main/"))
                    .map(Path::getParent)
                    .distinct()
                    .toList();
        }
        assertThat(packages).hasSizeGreaterThan(10).allMatch(SourceRulesTest::isNullMarked);
    }

    private static boolean isNullMarked(Path directory) {
        Path info = directory.resolve("package-info.java");
        return Files.exists(info) && read(info).contains("@NullMarked");
    }

    private static boolean inMain(Path path, String module) {
        return path.toString().contains("/" + module + "/src/main/");
    }

    private static List<String> offenders(Predicate<Path> where, Predicate<String> what) {
        try (Stream<Path> files = Files.walk(ROOT)) {
            return files.filter(path -> path.toString().endsWith(".java"))
                    .filter(where)
                    .filter(path -> what.test(read(path)))
                    .map(path -> ROOT.relativize(path).toString())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
