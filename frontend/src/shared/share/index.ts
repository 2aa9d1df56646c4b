export { ShareBar } from './ShareBar'
export { ShareLegend } from './ShareLegend'
export { commonScale, shareGeometry, type Share } from './geometry'
