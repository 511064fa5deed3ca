package dev.waybill.spring.boot.append;

import dev.waybill.NoTransactionException;

/** Why an event cannot be stored now, and what to do. */
public enum Refusal {
    NO_TRANSACTION(
            "no transaction is active on this thread",
            "Call append in a method with @Transactional, or with a TransactionTemplate. If the method has the annotation, it was"
                    + " called from its own class (a self-invocation bypasses the proxy: call it through another bean), or it runs"
                    + " on another thread (@Async and executors do not take the transaction along: append before, or begin a"
                    + " transaction there)."),
    READ_ONLY(
            "the transaction is read-only",
            "Remove readOnly = true from the outermost @Transactional method, or append in a method with its own transaction"
                    + " (REQUIRES_NEW)."),
    ENDED(
            "the transaction has already committed or rolled back, or does so now, so the event would be lost",
            "Append before the commit: in the method itself, or in a listener of phase BEFORE_COMMIT instead of AFTER_COMMIT. What"
                    + " belongs after the commit needs a transaction of its own (REQUIRES_NEW). A callback of an entity (@PostPersist,"
                    + " @PreUpdate and others) can append only if the method flushes before it returns."),
    OTHER_RESOURCE(
            "the active transaction is not one on its data source",
            "Select the transaction manager of that data source, as in @Transactional(\"billingTransactionManager\"); give the"
                    + " manager the same DataSource bean; declare the manager as a bean; JTA is not supported.");

    private final String why;
    private final String remedy;

    Refusal(String why, String remedy) {
        this.why = why;
        this.remedy = remedy;
    }

    public NoTransactionException on(String store) {
        return new NoTransactionException(
                "Cannot append to store " + store + ": " + why + ". Nothing was written. " + remedy);
    }
}
