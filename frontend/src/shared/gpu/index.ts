export { GpuStrip, TEAM_COLOURS, colourVar, type GpuCell, type GpuKind } from './GpuStrip'
export { NodeBox, NodeBoxes } from './NodeBox'
export { Swatch } from './Swatch'
export { cellsOfGap, cellsOfNode, cellsOfPlace } from './cells'
