package io.muster.cycle;

import org.quartz.JobBuilder;
import org.quartz.JobDetail;
import org.quartz.SimpleScheduleBuilder;
import org.quartz.Trigger;
import org.quartz.TriggerBuilder;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** The tick: once a second, on one of the servers, kept in Postgres. A tick that was missed is not made up for. */
@Configuration(proxyBeanMethods = false)
@EnableConfigurationProperties(CycleSettings.class)
class CycleConfiguration {
    @Bean
    @ConditionalOnProperty(name = "muster.cycle.enabled", matchIfMissing = true)
    JobDetail tickDetail() {
        return JobBuilder.newJob(Tick.class)
                .withIdentity("tick", "cycle")
                .storeDurably()
                .build();
    }

    @Bean
    @ConditionalOnProperty(name = "muster.cycle.enabled", matchIfMissing = true)
    Trigger tickTrigger(JobDetail tickDetail) {
        return TriggerBuilder.newTrigger()
                .forJob(tickDetail)
                .withIdentity("every-second", "cycle")
                .withSchedule(SimpleScheduleBuilder.repeatSecondlyForever()
                        .withMisfireHandlingInstructionNextWithRemainingCount())
                .build();
    }
}
