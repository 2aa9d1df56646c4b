package io.muster.web.jobs;

import io.muster.job.DocumentText;
import io.muster.job.DocumentText.Format;
import io.muster.web.problem.Problem;
import jakarta.servlet.http.HttpServletRequest;
import java.io.IOException;
import org.springframework.http.HttpStatus;
import org.springframework.http.MediaType;

/** The document in a request's body: never more of it is read than a document may have. */
final class RequestText {
    private RequestText() {}

    static DocumentText of(HttpServletRequest request) throws IOException {
        byte[] body = request.getInputStream().readNBytes(DocumentText.MOST_BYTES + 1);
        if (body.length > DocumentText.MOST_BYTES) {
            throw Problem.of(
                    HttpStatus.CONTENT_TOO_LARGE,
                    "too-large",
                    "A document has at most %d bytes.".formatted(DocumentText.MOST_BYTES));
        }
        String type = String.valueOf(request.getContentType());
        boolean yaml = MediaType.parseMediaType(type).getSubtype().contains("yaml");
        return new DocumentText(yaml ? Format.YAML : Format.JSON, body);
    }
}
