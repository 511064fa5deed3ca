package dev.waybill.spring.boot.append;

import dev.waybill.registry.EventRegistry;
import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.store.MongoOutboxSide;
import dev.waybill.spring.boot.store.WaybillStore;
import org.springframework.beans.factory.ObjectProvider;

/** Makes outboxes in MongoDB; apart, since its classes may be absent. */
final class MongoOutboxes {
    private MongoOutboxes() {}

    static SpringOutbox create(WaybillStore store, DomainEvents domainEvents, ObjectProvider<EventRegistry> registry) {
        MongoOutboxSide mongo = (MongoOutboxSide) store.outbox();
        return new JoiningOutbox<>(
                new MongoTransaction(store.name(), mongo.databases()),
                StoreOutboxes.checked(mongo.appending(store.properties()), registry),
                domainEvents,
                store.wake());
    }
}
