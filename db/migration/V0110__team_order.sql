-- Which of a team's jobs goes first is the team's own setting; null: as the teams above it, at last the policy, say.
alter table team_defaults add column job_order text
    constraint team_defaults_job_order check (job_order in ('FIFO', 'FAIR_FINISH', 'ATTAINED_SERVICE'));
