export { sayDomain, sayPath, sayShape, shortNode } from './names'
export { JobLink, NodeLink, TeamName } from './links'
