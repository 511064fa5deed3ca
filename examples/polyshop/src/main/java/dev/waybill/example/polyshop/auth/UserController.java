package dev.waybill.example.polyshop.auth;

import dev.waybill.spring.AggregateId;
import dev.waybill.spring.AppendedAs;
import dev.waybill.spring.SpringOutbox;
import java.util.UUID;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.transaction.annotation.Transactional;
import org.springframework.web.bind.annotation.PostMapping;
import org.springframework.web.bind.annotation.RequestBody;
import org.springframework.web.bind.annotation.RestController;

@RestController
class UserController {
    private final JdbcClient jdbc;
    private final SpringOutbox outbox;

    UserController(JdbcClient jdbc, SpringOutbox outbox) {
        this.jdbc = jdbc;
        this.outbox = outbox;
    }

    @AppendedAs(type = "auth.user.registered.v1", aggregate = "User")
    record UserRegistered(@AggregateId UUID userId, String email, String name) {}

    /** A request that is repeated, because its answer was lost, changes nothing. */
    @Transactional
    @PostMapping("/users")
    public void register(@RequestBody UserRegistered user) {
        int added = jdbc.sql("insert into users (user_id, email, name) values (?, ?, ?) on conflict do nothing")
                .params(user.userId(), user.email(), user.name())
                .update();
        if (added == 1) {
            outbox.append(user);
        }
    }
}
