package dev.waybill.demo;

/** What a newcomer can break while the demo runs. */
enum Breakage {
    KAFKA("kafka", "stop Kafka for a while", """
            In the console: published/s is 0, backlog and oldest grow; after five seconds a problem, because orders-to-kafka backs
            off. The order service goes on. When Kafka is back, everything is published in order and the problem ends."""),
    POISON("poison", "append an event that Kafka refuses", """
            In the console within two seconds: one dead event on the overview and, with the reason, under Failures. All other
            events go on. Discard it there, or requeue it and see it fail again; both are in the audit."""),
    LOCK("lock", "hold a lock that the relay needs, like a transaction left open", """
            In the console: published/s is 0, backlog and oldest grow; after ten seconds a problem, because orders-to-kafka waited
            too long for a lock. The order service goes on. When the lock is released, everything is published; some events
            twice, because the relay could not save that it had published them. That is at least once.""");

    private final String word;
    private final String description;
    private final String effect;

    Breakage(String word, String description, String effect) {
        this.word = word;
        this.description = description;
        this.effect = effect;
    }

    /** Its name on the command line. */
    String word() {
        return word;
    }

    String description() {
        return description;
    }

    /** What is seen in the console. */
    String effect() {
        return effect;
    }

    @Override
    public String toString() {
        return word;
    }
}
