package dev.waybill.spring.boot.run;

import dev.waybill.Inbox.Outcome;
import dev.waybill.Incoming;
import dev.waybill.Transactions;
import dev.waybill.admin.Finding;
import dev.waybill.jdbc.InboxLayout;
import dev.waybill.jdbc.JdbcInbox;
import dev.waybill.spring.SpringInbox;
import dev.waybill.spring.boot.properties.SchemaAction;
import dev.waybill.spring.boot.properties.WaybillProperties;
import dev.waybill.spring.boot.store.JdbcOutboxSide;
import dev.waybill.spring.boot.store.WaybillStore;
import dev.waybill.spring.boot.store.WaybillStores;
import java.sql.Connection;
import java.sql.SQLException;
import java.util.List;
import java.util.Optional;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.TransactionManager;

/** The inboxes, one in the database of each store. */
final class StoreInboxes implements SpringInbox {
    private final WaybillStores stores;
    private final TransactionManagers managers;
    private final Optional<String> chosen;
    private final JdbcInbox inbox;

    /** @param layout of the tables of all inboxes */
    StoreInboxes(WaybillStores stores, TransactionManagers managers, InboxLayout layout) {
        this(stores, managers, JdbcInbox.of(layout), Optional.empty());
    }

    private StoreInboxes(WaybillStores stores, TransactionManagers managers, JdbcInbox inbox, Optional<String> chosen) {
        this.stores = stores;
        this.managers = managers;
        this.inbox = inbox;
        this.chosen = chosen;
    }

    JdbcInbox inbox() {
        return inbox;
    }

    /** @throws IllegalArgumentException if the store has no inbox, or its data source no transaction manager */
    Transactions<Connection> transactions(String store) {
        DataSource dataSource = dataSource(store);
        return new SpringTransactions(managers.of(store, dataSource), dataSource);
    }

    /** Why work in transactions of this manager is not in those of the store's inbox; empty if it is. */
    Optional<String> outside(String store, TransactionManager used) {
        PlatformTransactionManager own = managers.of(store, dataSource(store));
        return TransactionManagers.joins(used, own)
                ? Optional.empty()
                : Optional.of("its @Transactional selects the transaction manager " + managers.nameOf(used)
                        + ", which leaves the transaction of the inbox, one of " + managers.nameOf(own) + " (store "
                        + store + "): write @Transactional(\"" + managers.nameOf(own)
                        + "\"), or do what needs another manager in another bean");
    }

    /**
     * The store in whose database a consumer has its inbox.
     *
     * @param given null for the only one, or {@code main}
     * @throws IllegalArgumentException if it is not clear which one
     */
    String storeOf(@Nullable String given) {
        List<String> names = stores.all().stream().map(WaybillStore::name).toList();
        String name = given != null ? given : names.size() == 1 ? names.get(0) : WaybillProperties.MAIN;
        if (!names.contains(name)) {
            throw new IllegalArgumentException(
                    given == null
                            ? "there are several stores, and none is named main: name one of " + names
                            : "there is no store " + name + ": use one of " + names);
        }
        return name;
    }

    private DataSource dataSource(String store) {
        if (stores.get(store).outbox() instanceof JdbcOutboxSide jdbc) {
            return jdbc.dataSource();
        }
        throw new IllegalArgumentException("the store " + store
                + " is in no relational database, so it has no inbox for handler methods: name a store that is");
    }

    /** Creates the table in every store whose schema is to be created. */
    void create() {
        for (WaybillStore store : stores.all()) {
            if (store.properties().schema() == SchemaAction.CREATE && store.outbox() instanceof JdbcOutboxSide jdbc) {
                try (Connection connection = jdbc.dataSource().getConnection()) {
                    connection.setAutoCommit(true); // a pool may hand it out without
                    inbox.create(connection);
                } catch (SQLException e) {
                    throw new IllegalStateException(
                            "Could not create the inbox of store " + store.name() + ": " + e.getMessage()
                                    + " Give the role the privilege to create it, or create it with a migration and set"
                                    + " waybill.stores." + store.name() + ".schema=validate.",
                            e);
                }
            }
        }
    }

    /** What is wrong with the inbox of a store whose schema is to be validated; empty if nothing is. */
    Optional<String> problem(String store) {
        if (stores.get(store).properties().schema() != SchemaAction.VALIDATE) {
            return Optional.empty();
        }
        return inbox.examine(dataSource(store)).stream()
                .filter(finding -> finding.severity() == Finding.Severity.PROBLEM)
                .findFirst()
                .map(finding -> "the inbox of store " + store + ": " + finding.what() + ". " + finding.remedy()
                        + " An application of Spring creates it with " + JdbcOutboxSide.MIGRATION
                        + ", or with waybill.stores." + store + ".schema=create.");
    }

    @Override
    public Outcome handleOnce(String consumer, Incoming event, Runnable effect) {
        String store = storeOf(chosen.orElse(null));
        return transactions(store)
                .call(connection -> inbox.handleOnce(connection, consumer, event, open -> effect.run()));
    }

    @Override
    public SpringInbox of(String store) {
        return new StoreInboxes(stores, managers, inbox, Optional.of(storeOf(store)));
    }
}
