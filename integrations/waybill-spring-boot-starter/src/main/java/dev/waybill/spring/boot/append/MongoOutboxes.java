package dev.waybill.spring.boot.append;

import dev.waybill.spring.SpringOutbox;
import dev.waybill.spring.boot.store.MongoOutboxSide;
import dev.waybill.spring.boot.store.WaybillStore;

/** Makes outboxes in MongoDB; apart, since its classes may be absent. */
final class MongoOutboxes {
    private MongoOutboxes() {}

    static SpringOutbox create(WaybillStore store, DomainEvents domainEvents) {
        MongoOutboxSide mongo = (MongoOutboxSide) store.outbox();
        return new JoiningOutbox<>(
                new MongoTransaction(store.name(), mongo.databases()),
                mongo.appending(store.properties()),
                domainEvents,
                store.wake());
    }
}
