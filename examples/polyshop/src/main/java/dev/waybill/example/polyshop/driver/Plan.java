package dev.waybill.example.polyshop.driver;

import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.UUID;

/** What customers do on this day, and what must come of it. Determined by the number of orders and the seed. */
final class Plan {
    /** Of the payment-service, in cents. */
    static final long CARD_LIMIT = 50_000;

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
