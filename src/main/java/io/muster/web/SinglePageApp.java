package io.muster.web;

import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.Resource;
import org.springframework.http.CacheControl;
import org.springframework.web.servlet.config.annotation.ResourceHandlerRegistry;
import org.springframework.web.servlet.config.annotation.ViewControllerRegistry;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;
import org.springframework.web.servlet.resource.PathResourceResolver;

/**
 * Serves the built frontend. Files with a hash in their name are kept by browsers for ever, the page itself is asked
 * for anew each time; every path that is no file and no API is a place inside the app.
 */
@Configuration(proxyBeanMethods = false)
class SinglePageApp implements WebMvcConfigurer {
    private static final String FILES = "classpath:/static/";

    @Override
    public void addResourceHandlers(ResourceHandlerRegistry registry) {
        registry.addResourceHandler("/assets/**")
                .addResourceLocations(FILES + "assets/")
                .setCacheControl(
                        CacheControl.maxAge(365, TimeUnit.DAYS).cachePublic().immutable());
        registry.addResourceHandler("/**")
                .addResourceLocations(FILES)
                .setCacheControl(CacheControl.noCache())
                .resourceChain(false)
                .addResolver(new Places());
    }

    @Override
    public void addViewControllers(ViewControllerRegistry registry) {
        registry.addViewController("/").setViewName("forward:/index.html");
    }

    static final class Places extends PathResourceResolver {
        @Override
        protected @Nullable Resource getResource(String path, Resource location) throws IOException {
            Resource file = super.getResource(path, location);
            return file == null && isPlace(path) ? super.getResource("index.html", location) : file;
        }

        /** A file that is missing must not come back as a page. */
        private static boolean isPlace(String path) {
            String last = path.substring(path.lastIndexOf('/') + 1);
            return !path.startsWith("api/")
                    && !path.startsWith("actuator/")
                    && !path.startsWith("assets/")
                    && !last.contains(".");
        }
    }
}
