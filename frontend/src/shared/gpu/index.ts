export { GpuStrip, TEAM_COLOURS, colourVar, type GpuCell, type GpuKind } from './GpuStrip'
export { Swatch } from './Swatch'
