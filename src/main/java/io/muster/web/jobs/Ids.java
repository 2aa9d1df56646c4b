package io.muster.web.jobs;

import io.muster.model.JobId;
import io.muster.web.problem.Problem;

/** Ids as they stand in paths. */
final class Ids {
    private Ids() {}

    static JobId job(long id) {
        if (id <= 0) {
            throw Problem.notFound("job");
        }
        return new JobId(id);
    }
}
