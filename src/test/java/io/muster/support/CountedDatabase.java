package io.muster.support;

import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.config.BeanPostProcessor;
import org.springframework.boot.test.context.TestConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.datasource.DelegatingDataSource;

/**
 * Writes down each statement that the requests of this server send, and those of a thread that a test names, each row of a
 * batch as one; what the server's loops do by themselves is not counted.
 */
@TestConfiguration(proxyBeanMethods = false)
public class CountedDatabase {
    private static final String REQUESTS = "tomcat-handler";

    private static final List<String> SENT = new CopyOnWriteArrayList<>();
    private static volatile @Nullable Thread also;

    @Bean
    static BeanPostProcessor counted() {
        return new BeanPostProcessor() {
            @Override
            public Object postProcessAfterInitialization(Object bean, String name) {
                return bean instanceof DataSource source ? new Counted(source) : bean;
            }
        };
    }

    public static void countToo(Thread thread) {
        also = thread;
    }

    private static boolean counts(Thread thread) {
        return thread == also || thread.getName().startsWith(REQUESTS);
    }

    /** What was sent since the last time somebody asked. */
    public static List<String> sent() {
        var sent = List.copyOf(SENT);
        SENT.clear();
        return sent;
    }

    private static final class Counted extends DelegatingDataSource {
        Counted(DataSource source) {
            super(source);
        }

        @Override
        public Connection getConnection() throws SQLException {
            var connection = super.getConnection();
            return (Connection) wrapped(Connection.class, connection, "");
        }
    }

    private static Object wrapped(Class<?> type, Object target, String sql) {
        return Proxy.newProxyInstance(
                CountedDatabase.class.getClassLoader(), new Class<?>[] {type}, (self, method, args) -> {
                    try {
                        boolean sends = method.getName().startsWith("execute")
                                || method.getName().equals("addBatch")
                                || method.getName().equals("commit");
                        if (sends && counts(Thread.currentThread())) {
                            SENT.add(sql.isEmpty() ? method.getName() : sql);
                        }
                        Object result = method.invoke(target, args);
                        return result instanceof PreparedStatement
                                        && method.getName().equals("prepareStatement")
                                ? wrapped(PreparedStatement.class, result, String.valueOf(args[0]))
                                : result;
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }
}
