package dev.waybill.spring;

import java.util.List;
import org.springframework.jdbc.core.simple.JdbcClient;

/** What is in the journal of a test. */
final class Journal {
    private final JdbcClient jdbc;

    Journal(JdbcClient jdbc) {
        this.jdbc = jdbc;
    }

    /** Also removes orders. */
    void empty() {
        jdbc.sql("truncate waybill.event, purchase_order").update();
    }

    List<String> ids() {
        return column("aggregate_id");
    }

    List<String> column(String expression) {
        return jdbc.sql("select " + expression + " from waybill.event order by seq")
                .query(String.class)
                .list();
    }
}
