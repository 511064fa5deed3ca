package dev.waybill.pubsub;

/** Full names of topics and subscriptions. A name that is given in full may be in another project. */
final class Names {
    private static final String FULL = "projects/";

    private Names() {}

    static String topic(String project, String name) {
        return full(project, "/topics/", name);
    }

    static String subscription(String project, String name) {
        return full(project, "/subscriptions/", name);
    }

    private static String full(String project, String kind, String name) {
        return name.startsWith(FULL) ? name : FULL + project + kind + name;
    }

    /** The name without its project. */
    static String last(String full) {
        return full.substring(full.lastIndexOf('/') + 1);
    }

    /** The subscription with the name of its topic, in the same project. */
    static String subscriptionNamedLike(String topic) {
        return topic.startsWith(FULL) ? topic.replace("/topics/", "/subscriptions/") : topic;
    }
}
