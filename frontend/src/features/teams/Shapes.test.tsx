import { MantineProvider } from '@mantine/core'
import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, expect, it, vi } from 'vitest'
import type { ShapeView } from '~/api/types'
import { I18nProvider, useI18n } from '~/i18n'
import { sayShapes } from './sayShapes'
import { Shapes } from './Shapes'

const LEVELS = [
  { name: 'rack', label: 'rack' },
  { name: 'node', label: 'node' },
]
const TWO: ShapeView[] = [
  { count: 2, level: 'node', gpus: 8 },
  { count: 1, level: 'rack', gpus: 32 },
]

beforeAll(() => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
})

function html(shapes: ShapeView[], errors: Record<string, string> = {}): string {
  return renderToStaticMarkup(
    <MantineProvider>
      <I18nProvider>
        <Shapes
          shapes={shapes}
          levels={LEVELS}
          errorOf={(field) => errors[field]}
          onChange={() => undefined}
        />
      </I18nProvider>
    </MantineProvider>,
  )
}

it('shows a row for each shape, with the levels of the pool to choose from', () => {
  const shown = html(TWO)
  expect(shown.match(/role="group"/g)).toHaveLength(2)
  expect(shown).toContain('aria-label="Remove shape 2"')
  expect(shown.match(/<option/g)).toHaveLength(4)
})

it('keeps a level that the pool has no more, so that it is not changed unseen', () => {
  expect(html([{ count: 1, level: 'block', gpus: 8 }])).toContain('<option value="block" selected="">')
})

it('says what is wrong at the field or below all rows', () => {
  expect(html(TWO, { 'shapes[1].gpus': 'too many' })).toContain('too many')
  expect(html(TWO, { shapes: 'more than the guarantee' })).toContain('more than the guarantee')
})

function Said({ shapes }: { shapes: ShapeView[] }) {
  return <>{sayShapes(shapes, useI18n().t)}</>
}

it('says shapes as people do', () => {
  const said = renderToStaticMarkup(
    <I18nProvider>
      <Said shapes={TWO} />
    </I18nProvider>,
  )
  expect(said).toBe('2 × (8 GPUs of one node), 1 × (32 GPUs of one rack)')
})
