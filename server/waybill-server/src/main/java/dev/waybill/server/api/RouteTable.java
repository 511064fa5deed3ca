package dev.waybill.server.api;

import dev.waybill.server.http.Request;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Stream;

/** Every route of the API. Nothing is served that is not in it. */
final class RouteTable {
    private final List<Route> routes;

    /** A route and the values of its variable parts. */
    record Match(Route route, Map<String, String> path) {}

    RouteTable(List<List<Route>> groups) {
        this.routes = groups.stream().flatMap(List::stream).toList();
    }

    List<Route> routes() {
        return routes;
    }

    Optional<Match> find(Request request) {
        String method = request.method().equals("HEAD") ? "GET" : request.method();
        return matching(request.path())
                .filter(match -> match.route.method().equals(method))
                .findFirst();
    }

    /** Whether another method has this path. */
    boolean knows(String path) {
        return matching(path).findAny().isPresent();
    }

    private Stream<Match> matching(String path) {
        return routes.stream().flatMap(route -> route.match(path).map(values -> new Match(route, values)).stream());
    }
}
