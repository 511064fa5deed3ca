package dev.waybill.spring.test;

import static org.assertj.core.api.Assertions.assertThat;

import dev.waybill.spring.test.shop.OrderService;
import dev.waybill.spring.test.shop.Shop;
import org.junit.jupiter.api.Test;
import org.springframework.beans.factory.annotation.Autowired;
import org.springframework.boot.jdbc.test.autoconfigure.JdbcTest;
import org.springframework.context.annotation.Import;
import org.springframework.test.context.ContextConfiguration;

/** Runs the example of the page about Spring. */
@ContextConfiguration(classes = Shop.class)
// snippet: spring-test
@JdbcTest
@WaybillTest
@Import(OrderService.class)
class WaybillTestExamplesTest {
    @Autowired
    private OrderService service;

    @Autowired
    private AppendedEvents appended;

    @Test
    void placing_an_order_appends_an_event() {
        service.place(42);
        assertThat(appended).appended("order.placed").withKey("42");
    }
}
// end
