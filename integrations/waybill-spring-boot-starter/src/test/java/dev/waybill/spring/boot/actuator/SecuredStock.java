package dev.waybill.spring.boot.actuator;

import dev.waybill.spring.boot.run.Stock;
import org.springframework.boot.security.autoconfigure.actuate.web.servlet.EndpointRequest;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.http.HttpMethod;
import org.springframework.security.config.Customizer;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.core.userdetails.User;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.provisioning.InMemoryUserDetailsManager;
import org.springframework.security.web.SecurityFilterChain;

/** The stock, in which viewers may read and operators may change. */
@Configuration(proxyBeanMethods = false)
@Import(Stock.class)
class SecuredStock {
    static final String ANYONE = "";
    static final String VIEWER = "victoria";
    static final String OPERATOR = "oscar";
    static final String PASSWORD = "secret";

    @Bean
    SecurityFilterChain rules(HttpSecurity http) {
        return http.authorizeHttpRequests(requests -> requests.requestMatchers(EndpointRequest.to("health"))
                        .permitAll()
                        .requestMatchers(EndpointRequest.to("waybill").withHttpMethod(HttpMethod.POST))
                        .hasRole("OPERATOR")
                        .anyRequest()
                        .hasAnyRole("VIEWER", "OPERATOR"))
                .httpBasic(Customizer.withDefaults())
                .csrf(csrf -> csrf.ignoringRequestMatchers(EndpointRequest.to("waybill")))
                .build();
    }

    @Bean
    UserDetailsService users() {
        return new InMemoryUserDetailsManager(
                User.withUsername(VIEWER)
                        .password("{noop}" + PASSWORD)
                        .roles("VIEWER")
                        .build(),
                User.withUsername(OPERATOR)
                        .password("{noop}" + PASSWORD)
                        .roles("OPERATOR")
                        .build());
    }
}
