export { StateChip } from './StateChip'
export { JOB_STATES, isActive, isTerminal, toneOf, type JobState, type Tone } from './states'
