import { MultiSelect, NumberInput, Select, Switch, TextInput, Textarea } from '@mantine/core'
import { useState } from 'react'
import { useI18n, type Key } from '~/i18n'
import type { Path } from '../document/document'
import { joinWords, readPairs, splitWords, writePairs } from '../document/command'
import { isMap } from '../document/shape'
import { useField } from './field'

interface FieldProps {
  path: Path
  label: Key
  placeholder?: string
}

export function TextField({ path, label, placeholder }: FieldProps) {
  const { t } = useI18n()
  const field = useField(path)
  return (
    <TextInput
      label={t(label)}
      placeholder={placeholder}
      name={path.join('.')}
      value={field.value == null ? '' : String(field.value as string)}
      onChange={(e) => field.set(e.currentTarget.value)}
      error={field.error}
      disabled={field.disabled}
    />
  )
}

export function WholeField({ path, label, placeholder }: FieldProps) {
  const { t } = useI18n()
  const field = useField(path)
  return (
    <NumberInput
      label={t(label)}
      placeholder={placeholder}
      name={path.join('.')}
      value={typeof field.value === 'number' ? field.value : ''}
      onChange={(next) => field.set(next === '' ? undefined : Number(next))}
      min={0}
      allowDecimal={false}
      allowNegative={false}
      clampBehavior="none"
      error={field.error}
      disabled={field.disabled}
    />
  )
}

/** CPUs: a number where it is one (1.5), else as it is written (500m). */
export function AmountField({ path, label, placeholder }: FieldProps) {
  const { t } = useI18n()
  const field = useField(path)
  return (
    <TextInput
      label={t(label)}
      placeholder={placeholder}
      name={path.join('.')}
      inputMode="decimal"
      value={field.value == null ? '' : String(field.value as string | number)}
      onChange={(e) => field.set(amountOf(e.currentTarget.value))}
      error={field.error}
      disabled={field.disabled}
    />
  )
}

function amountOf(text: string): string | number {
  const trimmed = text.trim()
  return /^(0|[1-9]\d*)(\.\d*[1-9])?$/.test(trimmed) ? Number(trimmed) : trimmed
}

export interface Option {
  value: string
  label: string
}

/** A choice; a value of the text that is not among the options stays visible and selectable. */
export function ChoiceField({
  path,
  label,
  placeholder,
  options,
}: FieldProps & { options: readonly Option[] }) {
  const { t } = useI18n()
  const field = useField(path)
  const value = typeof field.value === 'string' ? field.value : null
  const known = value === null || options.some((o) => o.value === value)
  return (
    <Select
      label={t(label)}
      placeholder={placeholder ?? t('form.unset')}
      name={path.join('.')}
      data={known ? [...options] : [...options, { value, label: value }]}
      value={value}
      onChange={(next) => field.set(next ?? undefined)}
      error={field.error}
      disabled={field.disabled}
      clearable
      searchable={options.length > 6}
    />
  )
}

/** Several, in order of preference. */
export function ManyField({ path, label, options }: FieldProps & { options: readonly Option[] }) {
  const { t } = useI18n()
  const field = useField(path)
  const value = Array.isArray(field.value) ? field.value.map(String) : []
  const unknown = value
    .filter((v) => !options.some((o) => o.value === v))
    .map((v) => ({ value: v, label: v }))
  return (
    <MultiSelect
      label={t(label)}
      name={path.join('.')}
      placeholder={value.length === 0 ? t('form.any') : undefined}
      data={[...options, ...unknown]}
      value={value}
      onChange={(next) => field.set(next)}
      error={field.error}
      disabled={field.disabled}
    />
  )
}

export function YesNoField({ path, label, unset }: FieldProps & { unset: boolean }) {
  const { t } = useI18n()
  const field = useField(path)
  return (
    <Switch
      label={t(label)}
      name={path.join('.')}
      checked={typeof field.value === 'boolean' ? field.value : unset}
      onChange={(e) => field.set(e.currentTarget.checked === unset ? undefined : e.currentTarget.checked)}
      error={field.error}
      disabled={field.disabled}
    />
  )
}

/** Exec form is typed as in a terminal; a command that the text holds as one string stays one. */
export function CommandField({ path, label }: FieldProps) {
  const field = useField(path)
  const shown = Array.isArray(field.value) ? joinWords(field.value.map(String)) : ''
  const plain = typeof field.value === 'string'
  return (
    <DraftField
      path={path}
      label={label}
      shown={plain ? String(field.value) : shown}
      write={(text) => field.set(plain ? text : splitWords(text))}
      placeholder="torchrun train.py"
    />
  )
}

export function PairsField({ path, label, placeholder = 'LR=3e-4' }: FieldProps) {
  const field = useField(path)
  const shown = isMap(field.value) ? writePairs(field.value) : ''
  return (
    <DraftField
      path={path}
      label={label}
      shown={shown}
      write={(text) => field.set(readPairs(text))}
      placeholder={placeholder}
      lines
    />
  )
}

/** Text that is read into something else: while one types, the draft is shown, not what it was read into. */
function DraftField({
  path,
  label,
  shown,
  write,
  placeholder,
  lines = false,
}: FieldProps & { shown: string; write: (text: string) => void; lines?: boolean }) {
  const { t } = useI18n()
  const field = useField(path)
  const [draft, setDraft] = useState<string | null>(null)
  const props = {
    label: t(label),
    placeholder,
    name: path.join('.'),
    value: draft ?? shown,
    onChange: (e: { currentTarget: { value: string } }) => {
      setDraft(e.currentTarget.value)
      write(e.currentTarget.value)
    },
    onBlur: () => setDraft(null),
    error: field.error,
    disabled: field.disabled,
    styles: { input: { fontFamily: 'var(--mono)', fontSize: 12.5 } },
  }
  return lines ? <Textarea {...props} autosize minRows={1} maxRows={8} /> : <TextInput {...props} />
}
