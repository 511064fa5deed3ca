package dev.waybill.spring.boot.append;

import com.mongodb.ClientSessionOptions;
import com.mongodb.client.ClientSession;
import com.mongodb.client.MongoDatabase;
import org.jspecify.annotations.Nullable;
import org.springframework.core.InfrastructureProxy;
import org.springframework.dao.support.PersistenceExceptionTranslator;
import org.springframework.data.mongodb.MongoDatabaseFactory;
import org.springframework.data.mongodb.MongoDatabaseUtils;
import org.springframework.data.mongodb.SessionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;

/** The transaction that Spring Data's manager bound to a database factory: its session. */
final class MongoTransaction implements CurrentTransaction<ClientSession> {
    private final String store;
    private final MongoDatabaseFactory databases;

    MongoTransaction(String store, MongoDatabaseFactory databases) {
        this.store = store;
        this.databases = databases;
    }

    @Override
    public ClientSession join() {
        if (!TransactionSynchronizationManager.isActualTransactionActive()) {
            throw Refusal.NO_TRANSACTION.on(store);
        }
        SessionCatcher catcher = new SessionCatcher(databases);
        MongoDatabaseUtils.getDatabase(catcher, SessionSynchronization.ON_ACTUAL_TRANSACTION);
        ClientSession session = catcher.caught;
        if (session == null) {
            throw Refusal.OTHER_RESOURCE.on(store);
        }
        if (!session.hasActiveTransaction()) {
            throw Refusal.ENDED.on(store);
        }
        if (TransactionSynchronizationManager.isCurrentTransactionReadOnly()) {
            throw Refusal.READ_ONLY.on(store);
        }
        return session;
    }

    @Override
    public String toString() {
        return store;
    }

    /**
     * Spring Data keeps the holder of the session to itself, but asks the factory for a view with the session. Standing in for
     * the factory, this gets to know it.
     */
    private static final class SessionCatcher implements MongoDatabaseFactory, InfrastructureProxy {
        private final MongoDatabaseFactory factory;
        private @Nullable ClientSession caught;

        SessionCatcher(MongoDatabaseFactory factory) {
            this.factory = factory;
        }

        /** The session is bound to the factory itself. */
        @Override
        public Object getWrappedObject() {
            return factory;
        }

        @Override
        public MongoDatabaseFactory withSession(ClientSession session) {
            caught = session;
            return factory;
        }

        @Override
        public MongoDatabase getMongoDatabase() {
            return factory.getMongoDatabase();
        }

        @Override
        public MongoDatabase getMongoDatabase(String name) {
            return factory.getMongoDatabase(name);
        }

        @Override
        public PersistenceExceptionTranslator getExceptionTranslator() {
            return factory.getExceptionTranslator();
        }

        @Override
        public ClientSession getSession(ClientSessionOptions options) {
            return factory.getSession(options);
        }
    }
}
