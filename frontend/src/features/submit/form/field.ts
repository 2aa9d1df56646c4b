import { createContext, use } from 'react'
import { useI18n } from '~/i18n'
import { samePath, valueAt, type Finding, type JobDocument, type Path } from '../document/document'

export interface FormState {
  doc: JobDocument
  findings: readonly Finding[]
  set: (path: Path, value: unknown) => void
}

export const FormContext = createContext<FormState | null>(null)

/** One field of the document: what it holds, what is wrong with it, and how to change it. */
export function useField(path: Path) {
  const state = use(FormContext)
  const { t } = useI18n()
  if (!state) throw new Error('useField outside the form')
  const found = state.findings.find((f) => samePath(f.path, path))
  return {
    value: valueAt(state.doc.value, path),
    error: found ? (found.said ?? t(found.message)) : undefined,
    disabled: !state.doc.readable,
    set: (value: unknown) => state.set(path, value),
  }
}
