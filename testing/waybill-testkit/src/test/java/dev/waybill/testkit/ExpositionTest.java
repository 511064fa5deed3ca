package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class ExpositionTest {
    private static final String GOOD = """
            # HELP a_total How many
            # TYPE a_total counter
            a_total{relay="x",outcome="a \\"b\\" \\\\ \\n"} 3.0
            a_total{relay="y"} 1.5E7
            # TYPE b gauge
            b NaN
            # TYPE c_seconds histogram
            c_seconds_bucket{le="0.1"} 1
            c_seconds_bucket{le="+Inf"} 2
            c_seconds_count 2
            c_seconds_sum 7.25
            """;

    @Test
    void samples_are_read_with_their_labels() {
        Exposition read = Exposition.parse(GOOD);
        assertThat(read.value("a_total", "relay", "y")).isEqualTo(1.5e7);
        assertThat(read.value("b")).isNaN();
        assertThat(read.types()).containsEntry("c_seconds", "histogram").hasSize(3);
        assertThat(Exposition.parse("").names()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "b 1",
                "# TYPE b gauge\nb 1\nb 2\n",
                "# TYPE b gauge\nother 1\n",
                "# TYPE b gauge\nb{x=1} 1\n",
                "# TYPE b gauge\nb{x=\"1\",} 1\n",
                "# TYPE b gauge\nb{x=\"1\" 1\n",
                "# TYPE b gauge\nb one\n",
                "# TYPE b gauge\n\nb 1\n",
                "# TYPE b gauge\nb 1\n# TYPE b gauge\n",
                "# TYPE b histogram\nb_bucket{le=\"1\"} 2\nb_bucket{le=\"+Inf\"} 1\nb_count 1\n",
                "# TYPE b histogram\nb_bucket{le=\"+Inf\"} 1\nb_count 2\n"
            })
    void what_is_not_well_formed_is_refused(String text) {
        assertThatExceptionOfType(AssertionError.class).isThrownBy(() -> Exposition.parse(text));
    }
}
