export { assignColours, colourOfId, useTeamColours } from './colours'
