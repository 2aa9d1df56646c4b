package io.muster.web.openapi;

import io.muster.web.view.ProblemView;
import io.swagger.v3.core.converter.ModelConverter;
import io.swagger.v3.core.converter.ModelConverters;
import io.swagger.v3.core.jackson.ModelResolver;
import io.swagger.v3.oas.models.Components;
import io.swagger.v3.oas.models.OpenAPI;
import io.swagger.v3.oas.models.Operation;
import io.swagger.v3.oas.models.info.Info;
import io.swagger.v3.oas.models.media.Content;
import io.swagger.v3.oas.models.media.MediaType;
import io.swagger.v3.oas.models.media.Schema;
import io.swagger.v3.oas.models.parameters.Parameter;
import io.swagger.v3.oas.models.responses.ApiResponse;
import io.swagger.v3.oas.models.security.SecurityRequirement;
import io.swagger.v3.oas.models.security.SecurityScheme;
import io.swagger.v3.oas.models.servers.Server;
import java.util.List;
import java.util.stream.Stream;
import org.springdoc.core.customizers.GlobalOpenApiCustomizer;
import org.springdoc.core.providers.ObjectMapperProvider;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The frame of the document. */
@Configuration(proxyBeanMethods = false)
class OpenApiConfiguration {
    private static final String SESSION = "session";
    private static final String TOKEN = "token";

    @Bean
    OpenAPI openApi() {
        return new OpenAPI()
                .info(new Info()
                        .title("Muster")
                        .version("v1")
                        .description("Which GPU jobs run on which accelerators and when, and that being carried out."))
                .servers(List.of(new Server().url("/").description("This server")))
                .components(new Components()
                        .addSecuritySchemes(
                                SESSION,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.APIKEY)
                                        .in(SecurityScheme.In.COOKIE)
                                        .name("SESSION")
                                        .description("A browser's session; writes send the cookie XSRF-TOKEN back as"
                                                + " header X-XSRF-TOKEN."))
                        .addSecuritySchemes(
                                TOKEN,
                                new SecurityScheme()
                                        .type(SecurityScheme.Type.HTTP)
                                        .scheme("bearer")
                                        .description("An API token (mst_...), or an attempt's own (msa_...).")))
                .addSecurityItem(new SecurityRequirement().addList(SESSION))
                .addSecurityItem(new SecurityRequirement().addList(TOKEN));
    }

    @Bean
    ModelResolver modelResolver(ObjectMapperProvider mappers) {
        return new ModelResolver(mappers.jsonMapper(), new NestedNames()).openapi31(true);
    }

    @Bean
    ModelConverter nullableRecords() {
        return new NullableRecords();
    }

    /** What an address leaves out is left out: no parameter can say null. */
    @Bean
    GlobalOpenApiCustomizer noParameterIsNull() {
        return api -> api.getPaths().values().stream()
                .flatMap(path -> path.readOperations().stream())
                .flatMap(operation -> Stream.ofNullable(operation.getParameters()))
                .flatMap(List::stream)
                .map(Parameter::getSchema)
                .filter(schema -> schema != null && schema.getTypes() != null)
                .forEach(schema -> schema.getTypes().remove("null"));
    }

    @Bean
    GlobalOpenApiCustomizer everyErrorIsAProblem() {
        return api -> {
            ModelConverters.getInstance(true)
                    .readAll(ProblemView.class)
                    .forEach((name, schema) -> api.getComponents().getSchemas().putIfAbsent(name, schema));
            api.getPaths().values().stream()
                    .flatMap(path -> path.readOperations().stream())
                    .forEach(OpenApiConfiguration::addProblem);
        };
    }

    private static void addProblem(Operation operation) {
        Schema<?> problem = new Schema<>().$ref("#/components/schemas/ProblemView");
        operation
                .getResponses()
                .addApiResponse(
                        "default",
                        new ApiResponse()
                                .description("Whatever is not 2xx")
                                .content(new Content()
                                        .addMediaType("application/problem+json", new MediaType().schema(problem))));
    }
}
