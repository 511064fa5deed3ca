package dev.waybill.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.admin.EventListing;
import dev.waybill.admin.EventQuery;
import dev.waybill.admin.StoreAdmin;
import java.util.List;
import java.util.Locale;
import java.util.function.Function;

/**
 * Measures the cost of an administrative query: pages of 8 kB that the server read, which are asserted, and time, which
 * is printed.
 */
public final class AdminCost {
    private final String store;
    private final StoreAdmin plain;
    private final StoreAdmin explained;
    private final ExplainedStatements statements;

    public AdminCost(String store, StoreAdmin plain, StoreAdmin explained, ExplainedStatements statements) {
        this.store = store;
        this.plain = plain;
        this.explained = explained;
        this.statements = statements;
    }

    public EventListing events(String name, EventQuery query, long mostPages) {
        return of("events, " + name, admin -> admin.events(query), mostPages);
    }

    public <R> R of(String what, Function<StoreAdmin, R> question, long mostPages) {
        statements.take();
        assertThat(question.apply(explained)).isNotNull();
        List<ExplainedStatements.Explained> all = statements.take();
        long begun = System.nanoTime();
        R answer = question.apply(plain);
        double millis = (System.nanoTime() - begun) / 1e6;
        long pages =
                all.stream().mapToLong(ExplainedStatements.Explained::buffers).sum();
        System.out.printf(Locale.ROOT, "%s: %s: %.0f ms, %,d pages%n", store, what, millis, pages);
        assertThat(pages).as("pages touched by %s: %s", what, all).isPositive().isLessThanOrEqualTo(mostPages);
        return answer;
    }
}
