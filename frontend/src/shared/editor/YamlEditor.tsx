import { defaultKeymap, history, historyKeymap } from '@codemirror/commands'
import { yaml } from '@codemirror/lang-yaml'
import {
  HighlightStyle,
  bracketMatching,
  indentOnInput,
  indentUnit,
  syntaxHighlighting,
} from '@codemirror/language'
import { lintGutter, setDiagnostics, type Diagnostic } from '@codemirror/lint'
import { Annotation, EditorState } from '@codemirror/state'
import { EditorView, drawSelection, highlightActiveLine, keymap, lineNumbers } from '@codemirror/view'
import { tags } from '@lezer/highlight'
import { useEffect, useRef } from 'react'
import { Echoes } from './echoes'
import { smallestChange } from './smallestChange'

export interface Mark {
  from: number
  to: number
  message: string
}

interface Props {
  label: string
  text: string
  marks: readonly Mark[]
  onChange: (text: string) => void
}

/** Marks a change that came from outside, so that it is not told back. */
const Outside = Annotation.define<boolean>()

const look = EditorView.theme({
  '&': { fontSize: '12.5px', backgroundColor: 'var(--panel)', color: 'var(--ink)', blockSize: '100%' },
  '&.cm-focused': { outline: '2px solid var(--accent)', outlineOffset: '-1px' },
  '.cm-scroller': { fontFamily: 'var(--mono)', lineHeight: '1.6' },
  '.cm-gutters': { backgroundColor: 'var(--panel)', color: 'var(--ink3)', border: 'none' },
  '.cm-activeLine, .cm-activeLineGutter': {
    backgroundColor: 'color-mix(in srgb, var(--soft) 70%, transparent)',
  },
  '.cm-cursor': { borderInlineStartColor: 'var(--ink)' },
  '&.cm-focused .cm-selectionBackground, .cm-selectionBackground': {
    backgroundColor: 'var(--accent-soft) !important',
  },
  '.cm-tooltip': { backgroundColor: 'var(--panel)', border: '1px solid var(--line)', borderRadius: '6px' },
  '.cm-diagnostic-error': { borderInlineStart: '3px solid var(--fail)' },
})

const colours = HighlightStyle.define([
  { tag: [tags.propertyName, tags.definition(tags.propertyName)], color: 'var(--accent)' },
  { tag: tags.string, color: 'var(--run)' },
  { tag: [tags.number, tags.bool, tags.null], color: 'var(--save)' },
  { tag: tags.comment, color: 'var(--ink3)', fontStyle: 'italic' },
  { tag: tags.punctuation, color: 'var(--ink3)' },
])

/** The job document as YAML. Text set from outside keeps the cursor where it was; errors are marked at their place. */
export default function YamlEditor({ label, text, marks, onChange }: Props) {
  const host = useRef<HTMLDivElement>(null)
  const view = useRef<EditorView | null>(null)
  const tell = useRef(onChange)
  const echoes = useRef(new Echoes())
  useEffect(() => {
    tell.current = onChange
  }, [onChange])

  useEffect(() => {
    if (!host.current) return
    // In a shadow root the editor's styles are adopted sheets; in the page they would be style elements, which the
    // content security policy forbids.
    const root = host.current.shadowRoot ?? host.current.attachShadow({ mode: 'open' })
    const said = (next: string) => {
      echoes.current.said(next)
      tell.current(next)
    }
    const made = new EditorView({ parent: root, root, state: makeState(label, said) })
    view.current = made
    return () => made.destroy()
  }, [label])

  useEffect(() => {
    const at = view.current
    if (!at) return
    if (echoes.current.heard(text)) return
    const change = smallestChange(at.state.doc.toString(), text)
    if (change) at.dispatch({ changes: change, annotations: Outside.of(true) })
  }, [text])

  useEffect(() => {
    const at = view.current
    if (!at) return
    const length = at.state.doc.length
    const found = marks.map((m): Diagnostic => {
      const from = Math.min(m.from, length)
      return { from, to: Math.min(Math.max(m.to, from), length), message: m.message, severity: 'error' }
    })
    at.dispatch(setDiagnostics(at.state, found))
  }, [marks, text])

  // YAML is read from left to right in every language.
  return <div ref={host} dir="ltr" style={{ blockSize: '100%', minBlockSize: 0 }} />
}

function makeState(label: string, tell: (text: string) => void): EditorState {
  return EditorState.create({
    doc: '',
    extensions: [
      lineNumbers(),
      lintGutter(),
      history(),
      drawSelection(),
      indentOnInput(),
      indentUnit.of('  '),
      bracketMatching(),
      highlightActiveLine(),
      EditorView.lineWrapping,
      yaml(),
      syntaxHighlighting(colours),
      look,
      // Escape, then Tab leaves the editor: nobody is trapped in it.
      // Tab goes on to the next field, as everywhere; Mod-] and Mod-[ indent.
      keymap.of([...defaultKeymap, ...historyKeymap]),
      EditorView.contentAttributes.of({ 'aria-label': label, spellcheck: 'false' }),
      EditorView.updateListener.of((u) => {
        if (u.docChanged && !u.transactions.some((tr) => tr.annotation(Outside))) tell(u.state.doc.toString())
      }),
    ],
  })
}
