package dev.waybill.example.polyshop.driver;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.TreeMap;
import java.util.UUID;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** What customers do on this day, and what must come of it. Determined by the number of orders and the seed. */
final class Plan {
    /** Of the payment-service, in cents. */
    static final long CARD_LIMIT = 50_000;

    private static final int FEWEST = 4;

    final List<User> users = new ArrayList<>();
    final List<Product> products = new ArrayList<>();
    /** Products that are ordered before anybody enters them. */
    final List<Product> unknown = new ArrayList<>();

    final List<Order> orders = new ArrayList<>();
    private final Random random;

    record User(UUID id, String email) {}

    /** @param stock at the beginning */
    record Product(UUID id, String name, long price, int stock) {}

    record Item(Product product, int quantity) {}

    record Order(UUID id, User user, Outcome outcome, List<Item> items) {
        long amount() {
            return items.stream()
                    .mapToLong(item -> item.quantity() * item.product().price())
                    .sum();
        }
    }

    /** How an order ends. Of those for the scarce product, whoever comes first gets it. */
    enum Outcome {
        CONFIRMED,
        FIRST_COME,
        NOT_PAID,
        CONFIRMED_AFTER_MENDING
    }

    Plan(int orderCount, Random random) {
        this.random = random;
        if (orderCount < FEWEST) {
            throw new IllegalArgumentException("A day of the shop has at least " + FEWEST + " orders, not " + orderCount
                    + ": one for each way that an order can end. Ask for more with --orders.");
        }
        int notPaid = Math.max(1, orderCount / 10);
        int scarce = Math.max(1, orderCount / 5);
        int unknownProducts = Math.max(1, orderCount / 100);
        for (int i = 0; i < Math.max(3, orderCount / 20); i++) {
            users.add(new User(uuid(), "customer-" + i + "@example.org"));
        }
        for (int i = 0; i < 8; i++) {
            products.add(new Product(uuid(), "Product " + i, 100 + random.nextInt(900), 4 * orderCount));
        }
        Product luxury = new Product(uuid(), "Luxury", CARD_LIMIT + 1, orderCount);
        Product rare = new Product(uuid(), "Rare", 4_900, scarce / 2);
        List<Product> usual = List.copyOf(products);
        products.add(luxury);
        products.add(rare);
        for (int i = 0; i < orderCount; i++) {
            if (i < notPaid) {
                add(Outcome.NOT_PAID, List.of(new Item(luxury, 1), usualItem(usual)));
            } else if (i < notPaid + scarce) {
                add(Outcome.FIRST_COME, List.of(new Item(rare, 1)));
            } else if (i < notPaid + scarce + unknownProducts) {
                Product product = new Product(uuid(), "Forgotten " + i, 700, 10);
                unknown.add(product);
                add(Outcome.CONFIRMED_AFTER_MENDING, List.of(new Item(product, 1), usualItem(usual)));
            } else {
                add(Outcome.CONFIRMED, usualItems(usual));
            }
        }
        Collections.shuffle(orders, random);
    }

    private UUID uuid() {
        byte[] bytes = new byte[16];
        random.nextBytes(bytes);
        return UUID.nameUUIDFromBytes(bytes);
    }

    private void add(Outcome outcome, List<Item> items) {
        orders.add(new Order(uuid(), users.get(random.nextInt(users.size())), outcome, items));
    }

    private Item usualItem(List<Product> usual) {
        return new Item(usual.get(random.nextInt(usual.size())), 1 + random.nextInt(2));
    }

    private List<Item> usualItems(List<Product> usual) {
        Item first = usualItem(usual);
        Item second = usualItem(usual);
        return first.product().equals(second.product()) ? List.of(first) : List.of(first, second);
    }

    /** Products whose price changes twice: every second one. */
    List<Product> repriced() {
        return IntStream.range(0, products.size())
                .filter(i -> i % 2 == 0)
                .mapToObj(products::get)
                .toList();
    }

    /** The prices of a product that is repriced, one after the other. */
    static List<Long> newPrices(Product product) {
        return List.of(product.price() + 100, product.price() + 50);
    }

    /** Every product at the end of the day, with its name and its price. */
    List<String> assortment() {
        List<Product> repriced = repriced();
        return Stream.concat(products.stream(), unknown.stream())
                .map(product -> product.id() + " " + product.name() + " "
                        + (repriced.contains(product) ? newPrices(product).get(1) : product.price()))
                .toList();
    }

    /** How many events of each type there must be at the end of the day. */
    Map<String, Long> events() {
        Map<String, Long> events = new TreeMap<>();
        events.put("auth.user.registered.v1", (long) users.size());
        events.put("product.product.created.v1", (long) products.size() + unknown.size());
        events.put("product.product.price-changed.v1", 2L * repriced().size());
        events.put("order.order.placed.v1", (long) orders.size());
        events.put("order.order.confirmed.v1", (long) confirmed());
        events.put("order.order.cancelled.v1", (long) orders.size() - confirmed());
        events.put("inventory.stock.reserved.v1", reservedItems());
        events.put("inventory.stock.rejected.v1", (long) outOfStock());
        events.put("payment.payment.succeeded.v1", (long) confirmed());
        events.put("payment.payment.failed.v1", (long) count(Outcome.NOT_PAID));
        events.put("notification.email.sent.v1", (long) orders.size() + confirmed());
        return events;
    }

    /** Each item of an order that finds its stock. */
    private long reservedItems() {
        long certain = orders.stream()
                .filter(order -> order.outcome() != Outcome.FIRST_COME)
                .mapToLong(order -> order.items().size())
                .sum();
        return certain + rareStock();
    }

    int count(Outcome outcome) {
        return (int) orders.stream().filter(order -> order.outcome() == outcome).count();
    }

    /** How many of the scarce product are there. */
    int rareStock() {
        return products.get(products.size() - 1).stock();
    }

    int outOfStock() {
        return count(Outcome.FIRST_COME) - rareStock();
    }

    int confirmed() {
        return orders.size() - outOfStock() - count(Outcome.NOT_PAID);
    }

    /** What every confirmed order costs, together. */
    long revenue() {
        long certain = orders.stream()
                .filter(order ->
                        order.outcome() == Outcome.CONFIRMED || order.outcome() == Outcome.CONFIRMED_AFTER_MENDING)
                .mapToLong(Order::amount)
                .sum();
        return certain + (long) rareStock() * products.get(products.size() - 1).price();
    }

    /** The stock at the end of the day. */
    Map<UUID, Integer> stockAtTheEnd() {
        Map<UUID, Integer> stock = new HashMap<>();
        products.forEach(product -> stock.put(product.id(), product.stock()));
        unknown.forEach(product -> stock.put(product.id(), product.stock()));
        stock.put(products.get(products.size() - 1).id(), 0);
        for (Order order : orders) {
            if (order.outcome() == Outcome.CONFIRMED || order.outcome() == Outcome.CONFIRMED_AFTER_MENDING) {
                order.items().forEach(item -> stock.merge(item.product().id(), -item.quantity(), Integer::sum));
            }
        }
        return stock;
    }
}
