import { parseDuration } from '~/shared/time'

/** What a field of the job document may hold. `{}` objects are maps of free names to text. */
export type Shape =
  | {
      is:
        'text' | 'whole' | 'yesno' | 'duration' | 'quantity' | 'amount' | 'command' | 'texts' | 'map' | 'any'
    }
  | { is: 'choice'; of: readonly string[] }
  | { is: 'object'; fields: Readonly<Record<string, Shape>> }
  | { is: 'list'; each: Shape }

const text: Shape = { is: 'text' }
const whole: Shape = { is: 'whole' }
const duration: Shape = { is: 'duration' }
const quantity: Shape = { is: 'quantity' }

const resources: Shape = {
  is: 'object',
  fields: { gpus: whole, cpus: { is: 'amount' }, memory: quantity, sharedMemory: quantity },
}

const slices: Shape = { is: 'object', fields: { size: whole, level: text } }
const elastic: Shape = { is: 'object', fields: { min: whole } }

/** The document as the server accepts it from the first day; the server's own check is the one that counts. */
export const JOB: Extract<Shape, { is: 'object' }> = {
  is: 'object',
  fields: {
    name: text,
    team: text,
    priority: text,
    image: text,
    command: { is: 'command' },
    workdir: text,
    env: { is: 'map' },
    replicas: whole,
    elastic,
    groups: {
      is: 'list',
      each: {
        is: 'object',
        fields: {
          name: text,
          replicas: whole,
          elastic,
          resources,
          image: text,
          command: { is: 'command' },
          workdir: text,
          env: { is: 'map' },
          slices,
        },
      },
    },
    resources,
    gpu: { is: 'object', fields: { types: { is: 'texts' }, memory: quantity } },
    pool: text,
    topology: { is: 'object', fields: { require: text, prefer: text, patience: duration, slices } },
    walltime: duration,
    preemptible: { is: 'yesno' },
    checkpoint: {
      is: 'object',
      fields: {
        by: { is: 'choice', of: ['sigterm', 'file', 'api'] },
        grace: duration,
        every: duration,
        path: text,
      },
    },
    retry: { is: 'object', fields: { onFailure: whole } },
    data: {
      is: 'list',
      each: {
        is: 'object',
        fields: { volume: text, at: text, readOnly: { is: 'yesno' }, scratch: quantity },
      },
    },
    labels: { is: 'map' },
  },
}

/** Taken for later; the server refuses them by name. */
export const RESERVED = new Set(
  'secrets imagePullSecret code after notBefore array kind ports idle notify excludeNodes'.split(' '),
)

/** Whether a plain value is what its shape asks for; objects and lists are walked by the caller. */
export function holds(shape: Shape, value: unknown): boolean {
  switch (shape.is) {
    case 'text':
      return typeof value === 'string' && value !== ''
    case 'whole':
      return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0
    case 'yesno':
      return typeof value === 'boolean'
    case 'duration':
      return typeof value === 'string' && parseDuration(value) !== null
    case 'quantity':
      return typeof value === 'string' && /^\d+(\.\d+)?([KMGTPE]i?B?|k|m)?$/.test(value)
    case 'amount':
      return (
        (typeof value === 'number' && value >= 0) ||
        (typeof value === 'string' && /^\d+(\.\d+)?m?$/.test(value))
      )
    case 'choice':
      return typeof value === 'string' && shape.of.includes(value)
    case 'command':
      return typeof value === 'string' || isTexts(value)
    case 'texts':
      return isTexts(value)
    case 'map':
      return isMap(value) && Object.values(value).every((v) => typeof v === 'string')
    case 'object':
      return isMap(value)
    case 'list':
      return Array.isArray(value)
    case 'any':
      return true
  }
}

function isTexts(value: unknown): boolean {
  return Array.isArray(value) && value.every((each) => typeof each === 'string')
}

export function isMap(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}
