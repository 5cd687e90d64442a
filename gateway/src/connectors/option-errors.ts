/**
 * What is wrong with an option, in words: the field and what it must be, never its value, which may be a password. Pure;
 * called by `parseOptions`.
 */
import type { TSchema } from 'typebox'
import { nearest } from './nearest.ts'
import { patternWords } from './pattern-words.ts'

export interface OptionError {
  readonly instancePath: string
  readonly message: string
  readonly keyword?: string
  readonly params?: object
}

interface Params {
  readonly additionalProperties?: readonly string[]
  readonly requiredProperties?: readonly string[]
  readonly allowedValues?: readonly unknown[]
  readonly allowedValue?: unknown
  readonly pattern?: string
  readonly comparison?: string
  readonly limit?: number
}

export function explainOptionError(schema: TSchema, error: OptionError): string {
  const path = error.instancePath.slice(1).split('/').filter(Boolean)
  const params = (error.params ?? {}) as Params
  const [unknown] = params.additionalProperties ?? []
  if (unknown !== undefined) {
    const near = nearest(unknown, fieldsAt(schema, path))
    const suggestion = near === undefined ? '' : `; did you mean ${[...path, near].join('.')}?`
    return `there is no option ${[...path, unknown].join('.')}${suggestion}`
  }
  const [missing] = params.requiredProperties ?? []
  if (missing !== undefined) return `${[...path, missing].join('.')} is missing`
  return `${path.length === 0 ? 'the object' : path.join('.')} ${mustBe(error, params)}`
}

function mustBe({ keyword, message }: OptionError, params: Params): string {
  switch (keyword) {
    case 'enum':
      return `must be one of ${(params.allowedValues ?? []).map((value) => JSON.stringify(value)).join(', ')}`
    case 'const':
      return `must be ${JSON.stringify(params.allowedValue)}`
    case 'pattern':
      return `must be ${patternWords[params.pattern ?? ''] ?? `a text that matches ${params.pattern}`}`
    case 'minimum':
      return `must be at least ${params.limit}`
    case 'maximum':
      return `must be at most ${params.limit}`
    default:
      return message
  }
}

/** Names of the fields that the object at the path may have. */
function fieldsAt(schema: TSchema, path: readonly string[]): string[] {
  let at: unknown = schema
  for (const name of path) {
    const { properties, items, patternProperties } = (at ?? {}) as {
      readonly properties?: Readonly<Record<string, unknown>>
      readonly items?: unknown
      readonly patternProperties?: Readonly<Record<string, unknown>>
    }
    at = properties?.[name] ?? items ?? Object.values(patternProperties ?? {})[0]
  }
  return Object.keys((at as { readonly properties?: object } | undefined)?.properties ?? {})
}
