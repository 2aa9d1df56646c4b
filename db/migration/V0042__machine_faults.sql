-- Nodes on which jobs keep failing by the machine's fault are found every minute; such failures are few.
create index replica_machine_fault on replica (phase_at) where failure in ('GPU_FAULT', 'ADMISSION');
