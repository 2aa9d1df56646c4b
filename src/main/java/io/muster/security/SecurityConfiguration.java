package io.muster.security;

import jakarta.servlet.DispatcherType;
import jakarta.servlet.FilterChain;
import jakarta.servlet.ServletException;
import jakarta.servlet.ServletRequest;
import jakarta.servlet.ServletResponse;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import java.util.Set;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.http.HttpHeaders;
import org.springframework.http.HttpMethod;
import org.springframework.http.HttpStatus;
import org.springframework.security.config.annotation.web.builders.HttpSecurity;
import org.springframework.security.config.annotation.web.configuration.EnableWebSecurity;
import org.springframework.security.config.annotation.web.configurers.AbstractHttpConfigurer;
import org.springframework.security.config.annotation.web.configurers.HeadersConfigurer;
import org.springframework.security.config.observation.SecurityObservationSettings;
import org.springframework.security.core.userdetails.UserDetailsService;
import org.springframework.security.core.userdetails.UsernameNotFoundException;
import org.springframework.security.web.SecurityFilterChain;
import org.springframework.security.web.authentication.AnonymousAuthenticationFilter;
import org.springframework.security.web.csrf.CsrfException;
import org.springframework.security.web.csrf.CsrfFilter;
import org.springframework.security.web.firewall.RequestRejectedHandler;
import org.springframework.security.web.header.writers.CrossOriginOpenerPolicyHeaderWriter.CrossOriginOpenerPolicy;
import org.springframework.security.web.header.writers.CrossOriginResourcePolicyHeaderWriter.CrossOriginResourcePolicy;
import org.springframework.security.web.header.writers.ReferrerPolicyHeaderWriter.ReferrerPolicy;

/** Who may reach which path at all; what they may see there is each query's own business. */
@Configuration(proxyBeanMethods = false)
@EnableWebSecurity
class SecurityConfiguration {
    private static final Set<String> SAFE = Set.of("GET", "HEAD", "TRACE", "OPTIONS");
    private static final String ATTEMPTS = "/api/v1/jobs/*/attempts/*/";

    /** Scripts, styles, data and fonts of our own only. */
    static final String CONTENT_SECURITY_POLICY = "default-src 'none'; script-src 'self'; style-src 'self';"
            + " img-src 'self' data: blob:; font-src 'self'; connect-src 'self'; worker-src 'self';"
            + " manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; object-src 'none'";

    @Bean
    SecurityFilterChain security(
            HttpSecurity http, Sessions sessions, ApiTokens tokens, AttemptTokens attempts, Callers callers) {
        var credentials = new CredentialsFilter(sessions, tokens, attempts, callers);
        return http.authorizeHttpRequests(paths -> paths.dispatcherTypeMatchers(
                                DispatcherType.ASYNC, DispatcherType.ERROR, DispatcherType.FORWARD)
                        .permitAll()
                        .requestMatchers(
                                ATTEMPTS + "signals",
                                ATTEMPTS + "checkpoints",
                                ATTEMPTS + "progress",
                                ATTEMPTS + "finished")
                        .hasAuthority(AttemptAuthentication.ATTEMPT)
                        .requestMatchers(HttpMethod.POST, "/api/v1/session", "/api/v1/one-time-links/*")
                        .permitAll()
                        .requestMatchers("/api/openapi", "/api/openapi/**", "/api/openapi.yaml")
                        .permitAll()
                        .requestMatchers("/api/**")
                        .hasAuthority(CallerAuthentication.PERSON)
                        .requestMatchers("/actuator/health", "/actuator/health/**", "/actuator/info")
                        .permitAll()
                        .requestMatchers("/actuator/**")
                        .hasAuthority(CallerAuthentication.PERSON)
                        .anyRequest()
                        .permitAll())
                .csrf(csrf -> csrf.spa().requireCsrfProtectionMatcher(SecurityConfiguration::isBrowserWrite))
                .headers(SecurityConfiguration::headers)
                .exceptionHandling(problems -> problems.authenticationEntryPoint(
                                (request, response, e) -> ProblemWriter.write(
                                        response, HttpStatus.UNAUTHORIZED, "not-signed-in", "Sign in first."))
                        .accessDeniedHandler((request, response, e) -> ProblemWriter.write(
                                response,
                                HttpStatus.FORBIDDEN,
                                e instanceof CsrfException ? "csrf" : "not-allowed",
                                e instanceof CsrfException
                                        ? "Send the cookie XSRF-TOKEN back as header X-XSRF-TOKEN."
                                        : "You may not do this.")))
                // Spring Security's own would take each request for a sign-in and give its session a new id.
                .sessionManagement(AbstractHttpConfigurer::disable)
                .requestCache(AbstractHttpConfigurer::disable)
                .securityContext(AbstractHttpConfigurer::disable)
                .formLogin(AbstractHttpConfigurer::disable)
                .httpBasic(AbstractHttpConfigurer::disable)
                .logout(AbstractHttpConfigurer::disable)
                .addFilterBefore(SecurityConfiguration::withoutCookies, CsrfFilter.class)
                .addFilterBefore(credentials, AnonymousAuthenticationFilter.class)
                .build();
    }

    private static void headers(HeadersConfigurer<HttpSecurity> headers) {
        headers.contentSecurityPolicy(csp -> csp.policyDirectives(CONTENT_SECURITY_POLICY))
                .frameOptions(HeadersConfigurer.FrameOptionsConfig::deny)
                .referrerPolicy(r -> r.policy(ReferrerPolicy.SAME_ORIGIN))
                .crossOriginOpenerPolicy(c -> c.policy(CrossOriginOpenerPolicy.SAME_ORIGIN))
                .crossOriginResourcePolicy(c -> c.policy(CrossOriginResourcePolicy.SAME_ORIGIN))
                .permissionsPolicyHeader(p -> p.policy("camera=(), geolocation=(), microphone=(), payment=(), usb=()"))
                .cacheControl(HeadersConfigurer.CacheControlConfig::disable); // per path: see CredentialsFilter
    }

    /** A request with a bearer token has no use for cookies, so nobody can borrow them through it. */
    private static boolean isBrowserWrite(HttpServletRequest request) {
        return !SAFE.contains(request.getMethod()) && CredentialsFilter.bearer(request) == null;
    }

    /** So it gets no cookie either, which would be drawn anew with each answer. */
    private static void withoutCookies(ServletRequest request, ServletResponse response, FilterChain chain)
            throws ServletException, IOException {
        if (request instanceof HttpServletRequest http && CredentialsFilter.bearer(http) != null) {
            CsrfFilter.skipRequest(http);
        }
        chain.doFilter(request, response);
    }

    /** Addresses, methods and headers that the firewall takes for an attack are told like any other mistake. */
    @Bean
    RequestRejectedHandler rejected() {
        return (request, response, e) -> {
            // It is refused before the filter that writes these everywhere else.
            response.setHeader("X-Content-Type-Options", "nosniff");
            response.setHeader("X-Frame-Options", "DENY");
            response.setHeader("Content-Security-Policy", "default-src 'none'; frame-ancestors 'none'");
            response.setHeader(HttpHeaders.CACHE_CONTROL, "no-store");
            ProblemWriter.write(
                    response,
                    HttpStatus.BAD_REQUEST,
                    "malformed",
                    "The address or a header has characters that may not be.");
        };
    }

    /** A timer around each of fifteen filters costs more than they do; requests as a whole are measured elsewhere. */
    @Bean
    SecurityObservationSettings unobserved() {
        return SecurityObservationSettings.noObservations();
    }

    /** Users are ours alone: without this, Boot makes one of its own. */
    @Bean
    UserDetailsService nobodyElse() {
        return name -> {
            throw new UsernameNotFoundException(name);
        };
    }
}
