package dev.waybill.spring.boot.append;

import dev.waybill.InvalidEventException;
import dev.waybill.Outbox;
import dev.waybill.jdbc.OutboxOptions;
import dev.waybill.registry.EventRegistry;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.WaybillProperties;
import dev.waybill.spring.boot.store.JdbcOutboxSide;
import dev.waybill.spring.boot.store.WaybillStore;
import dev.waybill.spring.boot.store.WaybillStores;
import java.util.Arrays;
import java.util.List;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.beans.factory.ObjectProvider;

/** The outbox beans, one for each store. */
public final class StoreOutboxes {
    private static final String PREFIX = "waybill.outbox.";

    private final ListableBeanFactory beans;

    public StoreOutboxes(ListableBeanFactory beans) {
        this.beans = beans;
    }

    /** The bean of this store's outbox. */
    public static String beanName(String store) {
        return PREFIX + store;
    }

    /**
     * Makes the bean; called by the container.
     *
     * @param registry if the application has one, events that do not match it are refused
     */
    public static SpringOutbox create(
            String name,
            WaybillStores stores,
            DomainEvents domainEvents,
            ListenToTransactionManagers transactions,
            ObjectProvider<EventRegistry> registry) {
        WaybillStore store = stores.get(name);
        if (store.outbox() instanceof JdbcOutboxSide jdbc) {
            return new JoiningOutbox<>(
                    new JdbcTransaction(
                            name, jdbc.dataSource(), transactions.phases(), FlushEntityManagers.ifPresent()),
                    checked(jdbc.appending(options(store.properties())), registry),
                    domainEvents,
                    store.wake());
        }
        return MongoOutboxes.create(store, domainEvents, registry);
    }

    /** The outbox, which refuses events that do not match the application's registry, if there is one. */
    static <T> Outbox<T> checked(Outbox<T> outbox, ObjectProvider<EventRegistry> registry) {
        EventRegistry known = registry.getIfAvailable();
        return known == null ? outbox : known.checking(outbox);
    }

    /** Without the wake signal, which an outbox raises before the commit. */
    private static OutboxOptions options(StoreProperties properties) {
        return OutboxOptions.defaults()
                .maxPayloadBytes(properties.maxPayloadBytes())
                .lockKeys(properties.lockKeys());
    }

    /**
     * @param store empty for the only one, or {@code main}
     * @throws InvalidEventException if it is not clear which one
     */
    SpringOutbox of(String store, Class<?> published) {
        return beans.getBean(beanName(nameOf(store, published)), SpringOutbox.class);
    }

    /** @throws InvalidEventException if it is not clear which store is meant, or there is none of this name */
    String nameOf(String store, Class<?> published) {
        List<String> names = Arrays.stream(beans.getBeanNamesForType(SpringOutbox.class, false, false))
                .filter(bean -> bean.startsWith(PREFIX))
                .map(bean -> bean.substring(PREFIX.length()))
                .sorted()
                .toList();
        String name = !store.isEmpty() ? store : names.size() == 1 ? names.get(0) : WaybillProperties.MAIN;
        if (!names.contains(name)) {
            throw new InvalidEventException(published.getName() + " cannot be appended when it is published: "
                    + (store.isEmpty()
                            ? "there are several stores, and none is named main"
                            : "no store is named " + store)
                    + ". Name one of " + names + ", as in @AppendedAs(store = \"" + names.get(0) + "\").");
        }
        return name;
    }
}
