import type { Ink } from './Chart'

/** What is told of a place on the axis. Drawn, not HTML: the content security policy forbids style attributes. */
export const axisTooltip = (ink: Ink) => ({
  trigger: 'axis',
  renderMode: 'richText',
  backgroundColor: ink.panel,
  borderColor: ink.line,
  textStyle: { color: ink.ink },
})

/** The axis below. */
export const baseline = (ink: Ink) => ({
  axisLine: { lineStyle: { color: ink.line } },
  axisLabel: { color: ink.faint, hideOverlap: true },
})
