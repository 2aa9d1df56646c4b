export const JOB_STATES = [
  'QUEUED',
  'HELD',
  'STARTING',
  'RUNNING',
  'CHECKPOINTING',
  'STOPPING',
  'SUCCEEDED',
  'FAILED',
  'CANCELLED',
] as const

export type JobState = (typeof JOB_STATES)[number]

export type Tone = 'wait' | 'run' | 'save' | 'fail' | 'good' | 'idle'

const TONES: Record<JobState, Tone> = {
  QUEUED: 'wait',
  HELD: 'idle',
  STARTING: 'run',
  RUNNING: 'run',
  CHECKPOINTING: 'save',
  STOPPING: 'save',
  SUCCEEDED: 'good',
  FAILED: 'fail',
  CANCELLED: 'idle',
}

export function toneOf(state: JobState): Tone {
  return TONES[state]
}

export function isTerminal(state: JobState): boolean {
  return state === 'SUCCEEDED' || state === 'FAILED' || state === 'CANCELLED'
}

export function isActive(state: JobState): boolean {
  return state === 'STARTING' || state === 'RUNNING' || state === 'CHECKPOINTING' || state === 'STOPPING'
}
