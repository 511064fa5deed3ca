package dev.waybill.example.polyshop.driver;

import dev.waybill.example.kit.Balance;
import dev.waybill.example.polyshop.driver.Plan.Order;
import dev.waybill.example.polyshop.driver.Plan.Outcome;
import java.io.IOException;
import java.nio.file.Path;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/** What the events have caused: each order, product, payment and mail is compared with the plan, not only their numbers. */
final class Effects {
    private final Plan plan;
    private final Shop shop;
    private final Mailbox mailbox;
    private final Balance balance;

    Effects(Plan plan, Shop shop, Path mailbox, Balance balance) {
        this.plan = plan;
        this.shop = shop;
        this.mailbox = new Mailbox(mailbox);
        this.balance = balance;
    }

    void compare() throws SQLException, IOException {
        Set<String> confirmed = confirmed();
        orders(confirmed);
        stock();
        payments(confirmed);
        mails(confirmed);
        balance.same(
                "users",
                plan.users.stream().map(user -> user.id() + " " + user.email()).toList(),
                shop.in(Service.AUTH).texts("select user_id || ' ' || email from users"));
        balance.same(
                "products in the search index, with name and last price",
                plan.assortment(),
                shop.in(Service.SEARCH).texts("select product_id || ' ' || name || ' ' || price from product_index"));
    }

    /** Whoever came first got the scarce product, so not every confirmed order is known before. */
    private Set<String> confirmed() throws SQLException {
        return new HashSet<>(shop.in(Service.ORDER).texts("select order_id from orders where status = 'CONFIRMED'"));
    }

    private void orders(Set<String> confirmed) throws SQLException {
        List<String> expected = new ArrayList<>();
        for (Order order : plan.orders) {
            boolean isConfirmed = order.outcome() == Outcome.FIRST_COME
                    ? confirmed.contains(order.id().toString())
                    : order.outcome() != Outcome.NOT_PAID;
            expected.add(order.id() + " " + order.user().id() + " " + order.amount() + " "
                    + order.items().size() + " items " + (isConfirmed ? "CONFIRMED" : "CANCELLED"));
        }
        balance.same(
                        "orders with user, amount, items and outcome",
                        expected,
                        shop.in(Service.ORDER)
                                .texts(
                                        "select order_id || ' ' || user_id || ' ' || total_amount || ' ' || (select count(*)"
                                                + " from order_items i where i.order_id = o.order_id and quantity > 0) || ' items '"
                                                + " || status from orders o"))
                .equal("… confirmed", plan.confirmed(), confirmed.size());
    }

    private void stock() throws SQLException {
        Map<String, String> expected = new TreeMap<>();
        plan.stockAtTheEnd().forEach((product, stock) -> expected.put(product.toString(), product + " " + stock));
        balance.same(
                        "products with their stock",
                        expected.values(),
                        shop.in(Service.INVENTORY).texts("select product_id || ' ' || on_hand from stock"))
                .equal(
                        "orders whose stock moved twice",
                        0,
                        shop.count(
                                Service.INVENTORY,
                                "(select 1 from movements group by order_id, product_id, kind having count(*) > 1) as m"));
    }

    private void payments(Set<String> confirmed) throws SQLException {
        List<String> expected = plan.orders.stream()
                .filter(order -> order.outcome() == Outcome.NOT_PAID
                        || confirmed.contains(order.id().toString()))
                .map(order -> order.id() + " " + order.amount() + " "
                        + (order.outcome() == Outcome.NOT_PAID ? "FAILED" : "SUCCESS"))
                .toList();
        balance.same(
                        "payments of orders, with amount and outcome",
                        expected,
                        shop.in(Service.PAYMENT)
                                .texts("select order_id || ' ' || amount || ' ' || status from payments"))
                .equal("cents paid", plan.revenue(), sum(Service.PAYMENT, "payments where status = 'SUCCESS'"))
                .equal("cents counted by analytics", plan.revenue(), sum(Service.ANALYTICS, "revenue"));
    }

    private long sum(Service service, String from) throws SQLException {
        return shop.in(service).number("select coalesce(sum(amount), 0) from " + from);
    }

    private void mails(Set<String> confirmed) throws IOException {
        List<String> expected = new ArrayList<>();
        for (Order order : plan.orders) {
            expected.add(order.user().email() + " Your confirmation for order " + order.id());
            if (confirmed.contains(order.id().toString())) {
                expected.add(order.user().email() + " Your receipt for order " + order.id());
            }
        }
        balance.same("mails in the mailbox, with address and subject", expected, mailbox.delivered());
    }
}
