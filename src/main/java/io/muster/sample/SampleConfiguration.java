package io.muster.sample;

import io.muster.inventory.Fleet;
import io.muster.inventory.FleetAdmin;
import io.muster.job.JobCatalogue;
import io.muster.job.JobSubmission;
import io.muster.policy.PolicyAdmin;
import io.muster.policy.PolicyBook;
import io.muster.security.Passwords;
import io.muster.tenancy.People;
import io.muster.tenancy.TeamDirectory;
import io.muster.tenancy.TenancyAdmin;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.time.Clock;
import org.slf4j.Logger;
import org.slf4j.LoggerFactory;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.io.ClassPathResource;
import org.springframework.transaction.PlatformTransactionManager;
import org.springframework.transaction.support.TransactionTemplate;

/** Seeds before anything is served, then keeps the sample teams at work. */
@Configuration(proxyBeanMethods = false)
@Conditional(SampleWanted.class)
class SampleConfiguration {
    private static final Logger LOG = LoggerFactory.getLogger(SampleConfiguration.class);
    private static final String FILE = "scenarios/demo.yaml";

    /** @param written whether this start wrote it: the database had no teams */
    record Sample(Demo demo, boolean written) {}

    @Bean
    Sample sample(
            TenancyAdmin tenancy,
            TeamDirectory directory,
            FleetAdmin fleet,
            PolicyAdmin policy,
            PolicyBook book,
            PlatformTransactionManager transactions) {
        Demo demo = Demo.parse(text());
        var transaction = new TransactionTemplate(transactions);
        boolean written = new SampleSeeding(tenancy, directory, fleet, policy, book, transaction).seed(demo);
        if (written) {
            LOG.info(
                    "wrote {} sample teams and {} sample users",
                    demo.teams().size(),
                    demo.users().size());
        }
        return new Sample(demo, written);
    }

    @Bean
    SampleSignIn sampleSignIn(Sample sample, People people, Passwords passwords) {
        var signIn = new SampleSignIn(sample.demo().researcher());
        if (sample.written()) signIn.give(people, passwords);
        return signIn;
    }

    @Bean
    SampleWorkload sampleWorkload(
            Sample sample, Fleet fleet, JobCatalogue catalogue, JobSubmission submission, People people, Clock clock) {
        return new SampleWorkload(new QueueDesk(fleet, catalogue, submission, people), sample.demo(), clock);
    }

    private static String text() {
        try {
            return new ClassPathResource(FILE).getContentAsString(StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
