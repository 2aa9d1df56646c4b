export { sayDomain, sayPath, sayShape } from './names'
export { JobLink, NodeLink, TeamName } from './links'
