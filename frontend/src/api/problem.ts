import type { ReasonView } from './types'

/** A problem as RFC 9457 writes it, with the fields at fault and reasons as data. */
export interface FieldError {
  field: string
  code: string
  message: string
  line?: number | null
  column?: number | null
}

export class Problem extends Error {
  override readonly name = 'Problem'

  constructor(
    readonly status: number,
    readonly type: string,
    readonly title: string,
    readonly detail: string,
    readonly errors: readonly FieldError[] = [],
    readonly reasons: readonly ReasonView[] = [],
  ) {
    super(detail || title)
  }

  /** The last part of the type's URI: stable, and what code may compare. */
  get kind(): string {
    return this.type.replace(/^.*[/:#]/, '')
  }

  static offline(): Problem {
    return new Problem(0, 'about:offline', 'offline', '')
  }

  static from(status: number, body: unknown): Problem {
    if (!isRecord(body)) return new Problem(status, 'about:blank', '', '')
    const errors = Array.isArray(body.errors) ? body.errors.filter(isRecord).map(fieldError) : []
    const reasons = Array.isArray(body.reasons) ? (body.reasons as ReasonView[]) : []
    return new Problem(
      status,
      text(body.type) || 'about:blank',
      text(body.title),
      text(body.detail),
      errors,
      reasons,
    )
  }
}

function fieldError(of: Record<string, unknown>): FieldError {
  const line = typeof of.line === 'number' ? of.line : null
  const column = typeof of.column === 'number' ? of.column : null
  return { field: text(of.field), code: text(of.code), message: text(of.message), line, column }
}

function text(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function isRecord(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function asProblem(error: unknown): Problem {
  return error instanceof Problem
    ? error
    : new Problem(0, 'about:client', '', error instanceof Error ? error.message : '')
}
