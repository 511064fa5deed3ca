package dev.waybill.example.polyshop.gateway;

import dev.waybill.example.polyshop.common.Correlation;
import io.micrometer.observation.ObservationRegistry;
import java.net.http.HttpClient;
import java.time.Duration;
import java.util.Objects;
import java.util.Optional;
import java.util.UUID;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.slf4j.MDC;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import org.springframework.http.ResponseEntity;
import org.springframework.http.client.JdkClientHttpRequestFactory;
import org.springframework.web.bind.annotation.PathVariable;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RequestHeader;
import org.springframework.web.bind.annotation.RestController;
import org.springframework.web.client.ResourceAccessException;
import org.springframework.web.client.RestClient;

/** Forwards requests to the service they are for. A trace starts here and goes with them; so does what correlates them. */
@RestController
class ForwardController {
    private static final Logger log = LoggerFactory.getLogger(ForwardController.class);

    private final RestClient http;
    private final String auth;
    private final String product;
    private final String order;

    ForwardController(
            ObservationRegistry observations,
            @Value("${polyshop.auth}") String auth,
            @Value("${polyshop.product}") String product,
            @Value("${polyshop.order}") String order) {
        JdkClientHttpRequestFactory connections = new JdkClientHttpRequestFactory(
                HttpClient.newBuilder().connectTimeout(Duration.ofSeconds(2)).build());
        connections.setReadTimeout(Duration.ofSeconds(10));
        this.http = RestClient.builder()
                .requestFactory(connections)
                .observationRegistry(observations)
                .build();
        this.auth = auth;
        this.product = product;
        this.order = order;
    }

    @PostMapping("/users")
    ResponseEntity<String> user(@RequestBody byte[] body) {
        return forward(auth + "/users", body, Optional.empty());
    }

    @PostMapping("/products")
    ResponseEntity<String> product(@RequestBody byte[] body) {
        return forward(product + "/products", body, Optional.empty());
    }

    @PostMapping("/products/{id}/price")
    ResponseEntity<String> price(@PathVariable UUID id, @RequestBody byte[] body) {
        return forward(product + "/products/" + id + "/price", body, Optional.empty());
    }

    @PostMapping("/orders")
    ResponseEntity<String> order(@RequestBody byte[] body, @RequestHeader(Correlation.USER) String user) {
        return forward(order + "/orders", body, Optional.of(user));
    }

    private ResponseEntity<String> forward(String url, byte[] body, Optional<String> user) {
        String correlation = UUID.randomUUID().toString();
        String trace = Objects.requireNonNullElse(MDC.get("traceId"), "");
        try {
            ResponseEntity<String> answer = http.post()
                    .uri(url)
                    .contentType(MediaType.APPLICATION_JSON)
                    .header(Correlation.ID, correlation)
                    .headers(headers -> user.ifPresent(known -> headers.set(Correlation.USER, known)))
                    .body(body)
                    .exchange((request, response) ->
                            ResponseEntity.status(response.getStatusCode()).body(response.bodyTo(String.class)));
            log.info("forwarded to {}: {}", url, answer.getStatusCode().value());
            return ResponseEntity.status(answer.getStatusCode())
                    .header("X-Trace-Id", trace)
                    .header("X-Correlation-Id", correlation)
                    .body(answer.getBody());
        } catch (ResourceAccessException e) {
            log.warn("{} did not answer", url);
            return ResponseEntity.status(HttpStatus.SERVICE_UNAVAILABLE).build();
        }
    }
}
