package dev.waybill.example.polyshop.auth;

import dev.waybill.example.polyshop.common.CommonConfiguration;
import dev.waybill.example.polyshop.common.SpringService;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.springframework.context.annotation.Import;

/** The process of the auth-service. */
@SpringBootApplication
@Import(CommonConfiguration.class)
public class AuthService {
    public static void main(String[] arguments) {
        SpringService.runWithEvents(AuthService.class, "auth-service", arguments);
    }
}
