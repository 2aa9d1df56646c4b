import { TEMPLATES } from './templates'

const KEY = 'muster-draft'

/** What one was writing survives a reload, a detour and a new sign-in, in this tab. */
export function loadDraft(): string {
  return sessionStorage.getItem(KEY) ?? TEMPLATES[0]?.text ?? ''
}

export function keepDraft(text: string): void {
  sessionStorage.setItem(KEY, text)
}

export function dropDraft(): void {
  sessionStorage.removeItem(KEY)
}

/** A fresh key for a submission: the same text sent twice by a shaky connection is one job. */
export function newKey(): string {
  return [...crypto.getRandomValues(new Uint8Array(16))].map((b) => b.toString(16).padStart(2, '0')).join('')
}
