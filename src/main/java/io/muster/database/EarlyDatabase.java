package io.muster.database;

import java.nio.file.Path;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicBoolean;
import org.springframework.boot.context.event.ApplicationFailedEvent;
import org.springframework.context.ApplicationContextInitializer;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.util.StringUtils;

/** Lets the embedded database start while the rest of the server is still being put together. */
public final class EarlyDatabase implements ApplicationContextInitializer<ConfigurableApplicationContext> {

    @Override
    public void initialize(ConfigurableApplicationContext context) {
        var environment = context.getEnvironment();
        if (StringUtils.hasText(environment.getProperty("spring.datasource.url"))) return;
        var starting = new Starting(Path.of(environment.getRequiredProperty("muster.data")));
        context.getBeanFactory().registerSingleton("startingDatabase", starting);
        context.addApplicationListener((ApplicationListener<ApplicationFailedEvent>) failed -> starting.abandon());
    }

    /** A database that is on its way. */
    static final class Starting {
        private final CompletableFuture<EmbeddedDatabase> database = new CompletableFuture<>();
        private final AtomicBoolean taken = new AtomicBoolean();

        private Starting(Path folder) {
            Thread.ofPlatform().name("database-start").start(() -> start(folder));
        }

        private void start(Path folder) {
            try {
                database.complete(EmbeddedDatabase.start(folder));
            } catch (RuntimeException | Error e) {
                database.completeExceptionally(e);
            }
        }

        /** Waits for it; from now on it is the taker's to close. */
        EmbeddedDatabase take() {
            taken.set(true);
            try {
                return database.join();
            } catch (CompletionException e) {
                if (e.getCause() instanceof RuntimeException cause) throw cause;
                throw e;
            }
        }

        /** Nobody will take it. */
        private void abandon() {
            if (taken.compareAndSet(false, true)) database.thenAccept(EmbeddedDatabase::close);
        }
    }
}
