export { Happening } from './Happening'
export { JobState } from './JobState'
