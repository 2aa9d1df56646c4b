package io.muster.database;

import java.nio.file.Path;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Condition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.type.AnnotatedTypeMetadata;
import org.springframework.util.StringUtils;

/** Starts the embedded database before the pool that connects to it, and stops it after that pool is closed. */
@Configuration(proxyBeanMethods = false)
@Conditional(DatabaseConfiguration.NoDatabaseGiven.class)
class DatabaseConfiguration {
    @Bean
    EmbeddedDatabase embeddedDatabase(
            @Value("${muster.data}") Path folder, ObjectProvider<EarlyDatabase.Starting> starting) {
        EarlyDatabase.Starting early = starting.getIfAvailable();
        return early == null ? EmbeddedDatabase.start(folder) : early.take();
    }

    @Bean
    JdbcConnectionDetails embeddedDatabaseConnection(EmbeddedDatabase database) {
        return new Connection(database.url(), database.user(), database.password());
    }

    private record Connection(String url, String user, String password) implements JdbcConnectionDetails {
        @Override
        public String toString() {
            return url; // a record would tell its password
        }

        @Override
        public String getJdbcUrl() {
            return url;
        }

        @Override
        public String getUsername() {
            return user;
        }

        @Override
        public String getPassword() {
            return password;
        }
    }

    static final class NoDatabaseGiven implements Condition {
        @Override
        public boolean matches(ConditionContext context, AnnotatedTypeMetadata metadata) {
            return !StringUtils.hasText(context.getEnvironment().getProperty("spring.datasource.url"));
        }
    }
}
