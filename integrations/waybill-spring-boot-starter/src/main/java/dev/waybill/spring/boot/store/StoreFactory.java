package dev.waybill.spring.boot.store;

import dev.waybill.spring.boot.properties.SchemaAction;
import dev.waybill.spring.boot.properties.StoreProperties;
import dev.waybill.spring.boot.properties.StoreType;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import javax.sql.DataSource;
import org.springframework.beans.factory.BeanFactory;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.util.ClassUtils;

/** Makes the configured stores. */
public final class StoreFactory {
    private static final boolean MONGO_IS_PRESENT = ClassUtils.isPresent(
                    "org.springframework.data.mongodb.MongoDatabaseFactory", StoreFactory.class.getClassLoader())
            && ClassUtils.isPresent("dev.waybill.mongodb.MongoStore", StoreFactory.class.getClassLoader());

    private final BeanFactory beans;

    public StoreFactory(BeanFactory beans) {
        this.beans = beans;
    }

    /** Connects to databases to learn what they are, and checks or creates their tables as configured. */
    public WaybillStores create(Map<String, StoreProperties> stores) {
        Map<String, WaybillStore> created = new LinkedHashMap<>();
        stores.forEach((name, properties) -> created.put(name, open(name, properties)));
        requireDifferent(List.copyOf(created.values()));
        created.values().forEach(store -> prepare(store, store.properties().schema()));
        return new WaybillStores(created);
    }

    /** Only open stores know their defaults. */
    private static void requireDifferent(List<WaybillStore> stores) {
        List<String> doubled = new ArrayList<>();
        for (int i = 1; i < stores.size(); i++) {
            WaybillStore store = stores.get(i);
            stores.subList(0, i).stream()
                    .filter(store::isSameOutbox)
                    .findFirst()
                    .ifPresent(first -> doubled.add("Store " + store.name() + " is the same outbox as store "
                            + first.name() + " (" + store.outbox().what()
                            + "): the relays of each would publish the events of both."));
        }
        if (!doubled.isEmpty()) {
            throw new UnusableStoreException(
                    String.join("\n", doubled),
                    "Give one of them another data-source, layout or collection, or remove it from waybill.stores.",
                    null);
        }
    }

    private WaybillStore open(String name, StoreProperties properties) {
        if (MONGO_IS_PRESENT && InMongo.isMeant(properties, beans)) {
            return InMongo.open(name, properties, beans);
        }
        DataSource dataSource = properties.dataSource() == null
                ? beans.getBean(DataSource.class)
                : beans.getBean(properties.dataSource(), DataSource.class);
        return new JdbcStoreOpening(name, properties, dataSource).open();
    }

    private static void prepare(WaybillStore store, SchemaAction action) {
        switch (action) {
            case VALIDATE -> store.outbox().validateSchema();
            case CREATE -> store.outbox().createSchema();
            case NONE -> {}
        }
    }

    /** What needs the classes of Spring Data MongoDB. */
    private static final class InMongo {
        static boolean isMeant(StoreProperties properties, BeanFactory beans) {
            if (properties.type() != null) {
                return properties.type() == StoreType.MONGODB;
            }
            if (properties.dataSource() != null) {
                return beans.isTypeMatch(properties.dataSource(), MongoDatabaseFactory.class);
            }
            return beans.getBeanProvider(DataSource.class).stream().findAny().isEmpty();
        }

        static WaybillStore open(String name, StoreProperties properties, BeanFactory beans) {
            return MongoOutboxSide.open(
                    name,
                    properties,
                    properties.dataSource() == null
                            ? beans.getBean(MongoDatabaseFactory.class)
                            : beans.getBean(properties.dataSource(), MongoDatabaseFactory.class));
        }
    }
}
