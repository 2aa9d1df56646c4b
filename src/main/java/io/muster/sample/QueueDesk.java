package io.muster.sample;

import io.muster.inventory.Fleet;
import io.muster.inventory.Node;
import io.muster.job.DocumentText;
import io.muster.job.JobCatalogue;
import io.muster.job.JobFilter;
import io.muster.job.JobSubmission;
import io.muster.model.JobState;
import io.muster.model.PoolId;
import io.muster.tenancy.People;
import io.muster.tenancy.Person;
import io.muster.tenancy.Reader;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;

/** The queue as the sample users reach it: with the rights that they have, through the same checks as everybody. */
final class QueueDesk implements JobDesk {
    private static final Set<JobState> ACTIVE =
            Arrays.stream(JobState.values()).filter(JobState::isActive).collect(Collectors.toUnmodifiableSet());

    private final Fleet fleet;
    private final JobCatalogue catalogue;
    private final JobSubmission submission;
    private final People people;

    QueueDesk(Fleet fleet, JobCatalogue catalogue, JobSubmission submission, People people) {
        this.fleet = fleet;
        this.catalogue = catalogue;
        this.submission = submission;
        this.people = people;
    }

    @Override
    public boolean open() {
        return fleet.nodes().stream().anyMatch(Node::takesReplicas);
    }

    @Override
    public Map<String, Queue> queues() {
        return catalogue.depths().entrySet().stream()
                .collect(Collectors.toMap(
                        Map.Entry::getKey,
                        depth -> new Queue(
                                depth.getValue().jobs(), depth.getValue().gpus())));
    }

    @Override
    public boolean busy(String pool) {
        var filter = new JobFilter(null, null, null, ACTIVE, null, new PoolId(pool), null, Map.of(), false);
        return !catalogue.list(filter, null, 1).isEmpty();
    }

    @Override
    public void submit(SampleJob job) {
        Reader reader = people.find(job.user())
                .map(Person::id)
                .flatMap(people::reader)
                .orElseThrow(() -> new IllegalStateException("there is no sample user " + job.user() + " any more"));
        var text = new DocumentText(DocumentText.Format.JSON, job.document().getBytes(StandardCharsets.UTF_8));
        submission.submit(reader, text, job.key());
    }
}
