/** A command in exec form as people type it, quotes where words need them; and back. */
export function joinWords(words: readonly string[]): string {
  return words.map((w) => (/^[\w@%+=:,./-]+$/.test(w) ? w : `'${w.replaceAll("'", `'\\''`)}'`)).join(' ')
}

/** Splits as a shell splits, without running anything: quotes and backslashes only. */
export function splitWords(text: string): string[] {
  const words: string[] = []
  let word = ''
  let inWord = false
  let quote = ''
  for (let i = 0; i < text.length; i++) {
    const c = text[i] ?? ''
    if (quote !== '') {
      if (c === quote) quote = ''
      else if (c === '\\' && quote === '"' && i + 1 < text.length) word += text[++i] ?? ''
      else word += c
    } else if (c === '"' || c === "'") {
      quote = c
      inWord = true
    } else if (c === '\\' && i + 1 < text.length) {
      word += text[++i] ?? ''
      inWord = true
    } else if (/\s/.test(c)) {
      if (inWord) words.push(word)
      word = ''
      inWord = false
    } else {
      word += c
      inWord = true
    }
  }
  if (inWord) words.push(word)
  return words
}

/** `NAME=value` lines; the first `=` divides. */
export function readPairs(text: string): Record<string, string> {
  const pairs = text
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '')
    .map((line): [string, string] => {
      const at = line.indexOf('=')
      return at < 0 ? [line, ''] : [line.slice(0, at).trim(), line.slice(at + 1)]
    })
  return Object.fromEntries(pairs)
}

export function writePairs(pairs: Readonly<Record<string, unknown>>): string {
  return Object.entries(pairs)
    .map(([name, value]) => `${name}=${String(value)}`)
    .join('\n')
}
