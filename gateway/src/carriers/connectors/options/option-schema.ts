/** Walks the options of a route along the schema of their connector kind. */
import { Value } from 'typebox/value'
import { ConfigError } from '../../../platform/settings/config.ts'
import type { ConnectorKind } from './kind.ts'

export type Options = Readonly<Record<string, unknown>>

/** The JSON Schema keywords that describe options, and the marks that `options.ts` adds. */
export interface OptionSchema {
  readonly type?: string
  /** Replaces a long list of values in descriptions. */
  readonly title?: string
  readonly description?: string
  readonly default?: unknown
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly maxLength?: number
  readonly anyOf?: readonly OptionSchema[]
  readonly properties?: Readonly<Record<string, OptionSchema>>
  readonly patternProperties?: Readonly<Record<string, OptionSchema>>
  readonly required?: readonly string[]
  readonly items?: OptionSchema
  /** The value is masked in output. */
  readonly secret?: boolean
  /** The value determines where the link connects, or which certificates it trusts. */
  readonly address?: boolean
  /** The value is a URL or host name that the link connects to. */
  readonly host?: boolean
  /** Whether the value can be a reference. The default is true for secrets and addresses. */
  readonly reference?: boolean
}

export interface OptionValue {
  readonly key: string
  readonly value: unknown
  /** All schemas that can describe the value. Empty if the schema does not know the option. */
  readonly schemas: readonly OptionSchema[]
}

/** The options of the deepest connector have about six levels. */
const maxLevels = 32

/** Returns whether the option accepts a reference to a variable or a file. */
export function canBeReference({ type, secret, address, reference }: OptionSchema): boolean {
  return type === 'string' && (reference ?? (secret === true || address === true))
}

/** Returns a schema followed by its alternatives. */
export function withAlternatives(schema: OptionSchema): OptionSchema[] {
  return [schema, ...(schema.anyOf ?? []).flatMap(withAlternatives)]
}

/** Lists the fields of an object in schema order, or the items of an array. Other values have none. */
export function listChildren(value: unknown, schemas: readonly OptionSchema[]): OptionValue[] {
  if (typeof value !== 'object' || value === null) return []
  const described = schemas.flatMap(({ properties = {} }) => Object.keys(properties))
  const keys = [...new Set([...described, ...Object.keys(value)])].filter((key) => Object.hasOwn(value, key))
  return keys.map((key) => ({
    key,
    value: (value as Options)[key],
    schemas: schemas
      .flatMap((schema) => findChildSchema(schema, Array.isArray(value) ? undefined : key) ?? [])
      .flatMap(withAlternatives),
  }))
}

/** Returns the schema of array items if `name` is undefined. */
function findChildSchema(schema: OptionSchema, name: string | undefined): OptionSchema | undefined {
  const { anyOf, properties, patternProperties, items } = schema
  // A schema without these keywords describes everything below it.
  if ((anyOf ?? properties ?? patternProperties ?? items) === undefined) return schema
  if (name === undefined) return items
  return Object.hasOwn(properties ?? {}, name) ? properties![name] : Object.values(patternProperties ?? {})[0]
}

/** Returns a copy of the options with every string replaced. */
export function mapTexts(
  options: Options,
  replace: (text: string, schemas: readonly OptionSchema[], path: string) => string,
  schemas: readonly OptionSchema[] = [],
): Options {
  function map(path: readonly string[], { value, schemas }: Omit<OptionValue, 'key'>): unknown {
    if (typeof value === 'string') return replace(value, schemas, path.join('.'))
    if (typeof value !== 'object' || value === null) return value
    if (path.length >= maxLevels)
      throw new ConfigError(`route options: at most ${maxLevels} levels of nesting are allowed`)
    const children = listChildren(value, schemas).map(
      (child) => [child.key, map([...path, child.key], child)] as const,
    )
    return Array.isArray(value) ? children.map(([, child]) => child) : Object.fromEntries(children)
  }
  return map([], { value: options, schemas }) as Options
}

/** Fills in defaults, so that an omitted option equals an explicit default. */
export function completeOptions(kind: ConnectorKind, options: Options): Options {
  return Value.Default(kind.options, structuredClone(options)) as Options
}
