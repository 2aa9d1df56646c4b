// axe-core over what a page shows. It is put in through the protocol, so the content security policy stays as it is.
import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import { readFileSync } from 'node:fs'

const source = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')
const RULES = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'best-practice']

/** Fails with what is wrong, where and why, when anything serious or critical is found. */
export async function accessible(page, what) {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(source)
  const { violations } = await page.evaluate(
    (tags) => window.axe.run(document, { runOnly: { type: 'tag', values: tags } }),
    RULES,
  )
  const grave = violations.filter((v) => v.impact === 'serious' || v.impact === 'critical')
  const said = grave.map(
    (v) =>
      `${v.id} (${v.impact}): ${v.help}\n${v.nodes
        .slice(0, 4)
        .map((n) => `    ${n.html}\n    ${n.any[0]?.message ?? ''}`)
        .join('\n')}`,
  )
  assert.equal(said.length, 0, `${what}:\n${said.join('\n')}`)
  return violations.map((v) => `${what}: ${v.id} (${v.impact}) ${v.nodes.length}`)
}
