package dev.waybill.spring.test;

import java.lang.annotation.Documented;
import java.lang.annotation.ElementType;
import java.lang.annotation.Inherited;
import java.lang.annotation.Retention;
import java.lang.annotation.RetentionPolicy;
import java.lang.annotation.Target;
import org.springframework.boot.autoconfigure.ImportAutoConfiguration;

/**
 * Replaces the outboxes of a test by ones in memory: no tables are needed, and no relay runs. Use it beside
 * {@code @SpringBootTest}, {@code @DataJpaTest}, {@code @JdbcTest} or another slice, and inject {@link AppendedEvents}.
 *
 * <pre>{@code
 * @DataJpaTest
 * @WaybillTest
 * class OrderServiceTest {
 *     @Autowired AppendedEvents appended;
 *
 *     @Test
 *     void placing_an_order_appends_an_event() {
 *         service.place(order);
 *         assertThat(appended).appended("order.placed.v1").withKey("42");
 *     }
 * }
 * }</pre>
 */
@Documented
@Inherited
@Target(ElementType.TYPE)
@Retention(RetentionPolicy.RUNTIME)
@ImportAutoConfiguration
public @interface WaybillTest {}
