import { BarChart, LineChart } from 'echarts/charts'
import { AriaComponent, GridComponent, MarkLineComponent, TooltipComponent } from 'echarts/components'
import { init, use as register, type ECharts, type EChartsCoreOption } from 'echarts/core'
import { CanvasRenderer } from 'echarts/renderers'
import { useComputedColorScheme } from '@mantine/core'
import { useEffect, useRef } from 'react'

register([
  BarChart,
  LineChart,
  GridComponent,
  TooltipComponent,
  MarkLineComponent,
  AriaComponent,
  CanvasRenderer,
])

export interface Ink {
  ink: string
  faint: string
  line: string
  accent: string
  panel: string
  of: (name: string) => string
}

/** A chart in the theme's colours. `draw` gets the colours in force and gives the options. */
export default function Chart({
  label,
  height,
  draw,
}: {
  label: string
  height: number
  draw: (ink: Ink) => EChartsCoreOption
}) {
  const host = useRef<HTMLDivElement>(null)
  const chart = useRef<ECharts | null>(null)
  const scheme = useComputedColorScheme('light')

  useEffect(() => {
    if (!host.current) return
    const made = init(host.current, null, { renderer: 'canvas' })
    chart.current = made
    const watch = new ResizeObserver(() => made.resize())
    watch.observe(host.current)
    return () => {
      watch.disconnect()
      made.dispose()
    }
  }, [])

  useEffect(() => {
    chart.current?.setOption({ animationDuration: 300, ...draw(inkOf()) })
  }, [draw, scheme])

  return <div ref={host} role="img" aria-label={label} dir="ltr" style={{ blockSize: height }} />
}

function inkOf(): Ink {
  const css = getComputedStyle(document.documentElement)
  const of = (name: string) => css.getPropertyValue(`--${name}`).trim()
  return {
    ink: of('ink2'),
    faint: of('ink3'),
    line: of('line'),
    accent: of('accent'),
    panel: of('panel'),
    of,
  }
}
