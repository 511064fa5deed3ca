package dev.waybill.tck;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.tck.Seeds.Settings;
import java.util.List;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

class SeedsTest {
    private static final Settings FIXED = new Settings(1, 3, null);
    private static final Settings REPEATED = new Settings(1, 3, 77L);

    private static DerivedSeeds seeds(Settings settings) {
        return new DerivedSeeds(settings, "[class:a]/[method:b()]");
    }

    private static List<Long> listed(LongStream seeds) {
        return seeds.boxed().toList();
    }

    @Test
    void the_same_base_and_test_give_the_same_seeds() {
        List<Long> first = listed(seeds(FIXED).next(1));
        assertThat(first)
                .hasSize(3)
                .doesNotHaveDuplicates()
                .isEqualTo(listed(seeds(FIXED).next(1)));
        assertThat(first.get(0)).as("computed the same on every machine").isEqualTo(21_193_701_269L);
        assertThat(listed(seeds(FIXED).next(5))).hasSize(15).startsWith(first.toArray(Long[]::new));
    }

    @Test
    void another_base_and_another_test_have_other_seeds() {
        long one = seeds(FIXED).next();
        assertThat(seeds(new Settings(2, 3, null)).next()).isNotEqualTo(one);
        assertThat(new DerivedSeeds(FIXED, "[class:a]/[method:c()]").next()).isNotEqualTo(one);
    }

    @Test
    void a_test_that_asks_again_gets_another_seed() {
        DerivedSeeds seeds = seeds(FIXED);
        assertThat(seeds.next()).isNotEqualTo(seeds.next());
    }

    @Test
    void a_repeated_seed_replaces_all_others() {
        assertThat(listed(seeds(REPEATED).next(400))).containsExactly(77L);
        assertThat(seeds(REPEATED).next()).isEqualTo(77);
    }

    @Test
    void the_command_repeats_the_seed_at_which_a_test_failed() {
        DerivedSeeds seeds = seeds(FIXED);
        List<Long> until = listed(seeds.next(1).limit(2));
        assertThat(SeedsInFailures.command("a.B#c", List.of(seeds)))
                .contains("mvn test -pl :waybill-tck ", "'-Dtest=a.B#c'", "-Dwaybill.baseSeed=1")
                .contains("-Dwaybill.seed=" + until.get(1));
    }

    @Test
    void the_command_repeats_the_base_if_a_test_asked_for_several_seeds() {
        DerivedSeeds seeds = seeds(FIXED);
        seeds.next();
        seeds.next();
        assertThat(SeedsInFailures.command("a.B#c", List.of(seeds)))
                .contains("-Dwaybill.baseSeed=1")
                .doesNotContain("-Dwaybill.seed=");
    }

    @Test
    void each_test_has_seeds_of_its_own() {
        long taken = Seeds.one();
        assertThat(Seeds.takenBy("[engine:junit-jupiter]/[class:" + getClass().getName() + "]/[method:other()]"))
                .isEmpty();
        assertThat(taken).isPositive();
    }
}
