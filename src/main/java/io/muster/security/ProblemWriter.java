package io.muster.security;

import jakarta.servlet.http.HttpServletResponse;
import java.io.IOException;
import java.util.LinkedHashMap;
import java.util.List;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;
import tools.jackson.databind.json.JsonMapper;

/** Answers from the filter chain, before any controller, in the shape of every other problem. */
final class ProblemWriter {
    static final String TYPES = "https://muster.dev/problems/";

    private static final JsonMapper JSON = JsonMapper.builder().build();

    private ProblemWriter() {}

    static void write(HttpServletResponse response, HttpStatus status, String slug, String detail) throws IOException {
        var problem = new LinkedHashMap<String, Object>();
        problem.put("type", TYPES + slug);
        problem.put("title", status.getReasonPhrase());
        problem.put("status", status.value());
        problem.put("detail", detail);
        problem.put("errors", List.of());
        problem.put("reasons", List.of());
        response.setStatus(status.value());
        response.setContentType(MediaType.APPLICATION_PROBLEM_JSON_VALUE);
        response.setCharacterEncoding("UTF-8");
        response.getWriter().write(JSON.writeValueAsString(problem));
    }
}
