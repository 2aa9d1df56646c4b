/** A problem as RFC 9457 writes it, with the fields at fault and reasons as data. */
export interface FieldError {
  field: string
  detail: string
}

export class Problem extends Error {
  override readonly name = 'Problem'

  constructor(
    readonly status: number,
    readonly type: string,
    readonly title: string,
    readonly detail: string,
    readonly errors: readonly FieldError[] = [],
    readonly extra: Readonly<Record<string, unknown>> = {},
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
    const { type, title, detail, errors, field, status: _status, instance: _instance, ...extra } = body
    const listed = Array.isArray(errors) ? errors.filter(isRecord).map(fieldError) : []
    const single = typeof field === 'string' ? [{ field, detail: text(detail) }] : []
    return new Problem(
      status,
      text(type) || 'about:blank',
      text(title),
      text(detail),
      listed.length > 0 ? listed : single,
      extra,
    )
  }
}

function fieldError(of: Record<string, unknown>): FieldError {
  return {
    field: text(of.field ?? of.pointer ?? of.path),
    detail: text(of.detail ?? of.message ?? of.title),
  }
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
