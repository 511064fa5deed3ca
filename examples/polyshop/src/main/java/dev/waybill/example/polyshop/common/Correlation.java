package dev.waybill.example.polyshop.common;

import dev.waybill.Event;
import dev.waybill.format.ReceivedEvent;
import dev.waybill.inbox.ConsumerListener;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.http.HttpServletRequest;
import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.Optional;
import org.slf4j.MDC;
import org.springframework.web.filter.OncePerRequestFilter;

/** What belongs together, such as an order with its stock, payment and mails: from requests and events to the events they cause. */
public final class Correlation {
    /** The header of requests and of events, and the field of log lines. */
    public static final String ID = "correlationId";

    /** The user who caused it. */
    public static final String USER = "userId";

    private Correlation() {}

    static Event addTo(Event event) {
        Event correlated = event;
        for (String name : new String[] {ID, USER}) {
            String value = MDC.get(name);
            if (value != null) {
                correlated = correlated.header(name, value);
            }
        }
        return correlated;
    }

    private static void begin(String name, Optional<String> value) {
        value.ifPresentOrElse(known -> MDC.put(name, known), () -> MDC.remove(name));
    }

    private static void end() {
        MDC.remove(ID);
        MDC.remove(USER);
    }

    /** Requests carry it in headers. */
    static final class OfRequests extends OncePerRequestFilter {
        @Override
        protected void doFilterInternal(HttpServletRequest request, HttpServletResponse response, FilterChain chain)
                throws ServletException, IOException {
            begin(ID, Optional.ofNullable(request.getHeader(ID)));
            begin(USER, Optional.ofNullable(request.getHeader(USER)));
            try {
                chain.doFilter(request, response);
            } finally {
                end();
            }
        }
    }

    /** Events carry it in headers, too. */
    static final class OfHandlers implements ConsumerListener {
        @Override
        public Handling handling(String consumer, ReceivedEvent event) {
            begin(ID, event.header(ID));
            begin(USER, event.header(USER));
            return failure -> end();
        }
    }
}
