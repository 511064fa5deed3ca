package dev.waybill.server.live;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.within;

import java.util.List;
import org.junit.jupiter.api.Test;

class SeriesTest {
    private static final long BEGIN = 1_000_000_000_000L;

    private static Point point(long at, double published, double backlog) {
        return new Point(at, published, backlog, 0, Double.NaN, Double.NaN, Double.NaN);
    }

    @Test
    void a_coarse_point_has_the_mean_of_what_was_published_and_the_largest_backlog() {
        Series series = new Series();
        for (int i = 0; i < 10; i++) {
            series.add(point(BEGIN + i * 1_000L, i, 10 - i));
        }
        List<Point> coarse = series.points(Series.Range.HOURS_3, BEGIN + 10_000);
        assertThat(coarse).hasSize(1);
        assertThat(coarse.get(0).published()).isCloseTo(4.5, within(1e-9));
        assertThat(coarse.get(0).backlog()).isEqualTo(10);
        assertThat(coarse.get(0).p99()).isNaN();
        assertThat(series.points(Series.Range.MINUTES_15, BEGIN + 10_000))
                .extracting(Point::published)
                .containsExactly(0.0, 1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0, 9.0);
    }

    @Test
    void a_sample_without_a_number_takes_none_from_a_coarse_point() {
        Series series = new Series();
        series.add(point(BEGIN, Double.NaN, 1));
        series.add(new Point(BEGIN + 1_000, 4, 5, 0, 0.1, 0.2, 0.3));
        series.add(new Point(BEGIN + 2_000, 6, 5, 0, 0.1, 0.2, 0.4));
        series.add(point(BEGIN + 3_000, Double.NaN, 1));
        assertThat(series.points(Series.Range.HOURS_3, BEGIN + 10_000))
                .containsExactly(new Point(BEGIN, 5, 5, 0, 0.1, 0.2, 0.4));
    }

    @Test
    void old_points_are_forgotten_and_gaps_stay_gaps() {
        Series series = new Series();
        for (int i = 0; i < 2_000; i++) {
            series.add(point(BEGIN + i * 1_000L, i, 0));
        }
        List<Point> fine = series.points(Series.Range.MINUTES_15, BEGIN + 2_000_000L);
        assertThat(fine).hasSize(900);
        assertThat(fine.get(0).published()).isEqualTo(1_100);
        assertThat(fine.get(899).published()).isEqualTo(1_999);
        assertThat(series.points(Series.Range.MINUTES_15, BEGIN + 2_600_000L)).hasSize(300);
        assertThat(series.points(Series.Range.HOURS_24, BEGIN + 2_600_000L)).hasSizeBetween(33, 35);
    }
}
