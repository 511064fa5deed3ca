package dev.waybill.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import dev.waybill.RelayName;
import dev.waybill.admin.Actor;
import java.nio.charset.StandardCharsets;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class NamesAndLimitsTest {

    @Test
    void limits_of_at_least_one_are_accepted() {
        assertThat(new Limits(1, 1)).isEqualTo(new Limits(1, 1));
    }

    @Test
    void limits_below_one_are_refused_with_their_values() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Limits(0, 5))
                .withMessage("The limits of a batch are 0 events and 5 bytes: both must be at least 1.");
        assertThatIllegalArgumentException().isThrownBy(() -> new Limits(5, 0));
    }

    @ParameterizedTest
    @ValueSource(strings = {"a", "7", "orders-to-kafka", "A.b_c-9"})
    void a_valid_relay_name_is_accepted(String name) {
        assertThat(new RelayName(name)).hasToString(name);
    }

    @ParameterizedTest
    @ValueSource(strings = {"", " ", "-a", ".a", "a b", "a/b", "a'b", "é", "a\n"})
    void a_relay_name_of_other_characters_is_refused_with_the_remedy(String name) {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new RelayName(name))
                .withMessageContaining("use 1 to 100 letters, digits, dots, hyphens or underscores");
    }

    @Test
    void a_relay_name_has_at_most_100_characters() {
        assertThat(new RelayName("n".repeat(100)).value()).hasSize(100);
        assertThatIllegalArgumentException().isThrownBy(() -> new RelayName("n".repeat(101)));
    }

    @Test
    void two_owners_with_the_same_prefix_are_different() {
        OwnerId one = OwnerId.unique("host 17");

        assertThat(one.value()).startsWith("host 17/");
        assertThat(one).isNotEqualTo(OwnerId.unique("host 17"));
    }

    @Test
    void an_owner_has_1_to_200_characters() {
        assertThat(new OwnerId("o".repeat(200)).value()).hasSize(200);
        assertThatIllegalArgumentException().isThrownBy(() -> new OwnerId("o".repeat(201)));
        assertThatIllegalArgumentException().isThrownBy(() -> new OwnerId(" "));
    }

    @Test
    void an_actor_without_a_name_is_refused() {
        assertThat(new Actor("anna", "").why()).isEmpty();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> new Actor(" ", "why"))
                .withMessageContaining("The audit needs a name");
    }

    @Test
    void texts_are_equal_by_their_bytes() {
        Utf8 text = Utf8.of("Zoë 🚚");

        assertThat(text).isEqualTo(Utf8.wrap("Zoë 🚚".getBytes(StandardCharsets.UTF_8)));
        assertThat(text).hasSameHashCodeAs(Utf8.of("Zoë 🚚")).hasToString("Zoë 🚚");
        assertThat(text).isNotEqualTo(Utf8.of("Zoe 🚚"));
        assertThat(text.length()).isEqualTo(9);
    }
}
