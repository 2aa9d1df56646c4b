import { renderToStaticMarkup } from 'react-dom/server'
import { beforeAll, expect, it, vi } from 'vitest'
import { I18nProvider } from '~/i18n'
import { GpuStrip, colourVar } from './GpuStrip'

beforeAll(() => {
  vi.stubGlobal('document', { documentElement: { lang: 'en' } })
})

it('says in words what it shows in colours', () => {
  const html = renderToStaticMarkup(
    <I18nProvider>
      <GpuStrip
        cells={[{ kind: 'busy', colour: 2 }, { kind: 'busy' }, { kind: 'free' }, { kind: 'broken' }]}
      />
    </I18nProvider>,
  )
  expect(html).toContain('role="img"')
  expect(html).toContain('aria-label="2 busy, 1 free, 1 broken"')
  expect(html.match(/<i /g)).toHaveLength(4)
  expect(html).toContain('var(--t2)')
})

it('has a colour for every index', () => {
  expect(colourVar(0)).toBe('var(--t0)')
  expect(colourVar(23)).toBe('var(--t3)')
  expect(colourVar(-1)).toBe('var(--t9)')
})
