package io.muster.security;

import io.muster.tenancy.Reader;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.springdoc.core.utils.SpringDocUtils;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.MethodParameter;
import org.springframework.security.core.context.SecurityContextHolder;
import org.springframework.web.bind.support.WebDataBinderFactory;
import org.springframework.web.context.request.NativeWebRequest;
import org.springframework.web.method.support.HandlerMethodArgumentResolver;
import org.springframework.web.method.support.ModelAndViewContainer;
import org.springframework.web.servlet.config.annotation.WebMvcConfigurer;

/** Gives a controller's method its {@link Reader} or {@link Caller} as an argument. */
@Configuration(proxyBeanMethods = false)
class CallerArguments implements WebMvcConfigurer {
    static {
        // They are no part of the request as its sender sees it.
        SpringDocUtils.getConfig().addRequestWrapperToIgnore(Reader.class, Caller.class);
    }

    @Override
    public void addArgumentResolvers(List<HandlerMethodArgumentResolver> resolvers) {
        resolvers.add(new Resolver());
    }

    private static final class Resolver implements HandlerMethodArgumentResolver {
        @Override
        public boolean supportsParameter(MethodParameter parameter) {
            return parameter.getParameterType() == Reader.class || parameter.getParameterType() == Caller.class;
        }

        @Override
        public Object resolveArgument(
                MethodParameter parameter,
                @Nullable ModelAndViewContainer model,
                NativeWebRequest request,
                @Nullable WebDataBinderFactory binders) {
            Caller caller = CurrentReader.caller();
            return parameter.getParameterType() == Caller.class ? caller : caller.reader();
        }
    }

    /** Who asks in this thread's request. */
    static final class CurrentReader {
        private CurrentReader() {}

        static Caller caller() {
            var authentication = SecurityContextHolder.getContext().getAuthentication();
            if (authentication instanceof CallerAuthentication known) return known.getPrincipal();
            throw new IllegalStateException("a method that needs a caller stands on an open path");
        }
    }
}
