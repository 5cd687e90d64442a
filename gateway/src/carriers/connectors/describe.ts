/** Describes options for operators: those of a connector kind in its help and documentation, and those of a route. */
import type { TSchema } from 'typebox'
import { isReference } from '../../platform/settings/secret-reference.ts'
import {
  canBeReference,
  completeOptions,
  mapTexts,
  withAlternatives,
  type OptionSchema,
  type Options,
} from './options/option-schema.ts'
import { findKind } from './registry.ts'
import { mask } from './options/secrets.ts'

export interface OptionRow {
  /** Path such as `tls.ca`. `*` is any name, `[]` an array element. */
  readonly name: string
  readonly type: string
  /** The default as JSON. */
  readonly standard: string | undefined
  readonly required: boolean
  readonly secret: boolean
  /** Whether the option determines where the link connects, or which certificates it trusts. */
  readonly address: boolean
  /** Whether the option, or a value in it, can be a reference. */
  readonly reference: boolean
  readonly description: string
}

export interface OptionsView {
  /** Stored options with secrets masked. References are not secret. */
  readonly options: Options
  /** Defaults of the options that the route omits, by path, such as `tls.verify`. */
  readonly defaults: Options
}

export function showOptions(protocol: string, options: Options): OptionsView {
  const kind = findKind(protocol)
  if (kind === undefined) return { options: maskSecrets(options, []), defaults: {} }
  const given = new Map(flattenOptions(options))
  const defaults = flattenOptions(completeOptions(kind, options)).filter(([path]) => !given.has(path))
  return { options: maskSecrets(options, [kind.options]), defaults: Object.fromEntries(defaults) }
}

/** Masks strings without a schema, because they can be secrets. */
function maskSecrets(options: Options, schemas: readonly OptionSchema[]): Options {
  return mapTexts(
    options,
    (text, described) => {
      const isSecret = described.length === 0 || described.some(({ secret }) => secret === true)
      return isSecret && !isReference(text) ? mask : text
    },
    schemas,
  )
}

/** Lists values by path. An array is one value, and so is an empty object. */
export function flattenOptions(options: Options, prefix = ''): [path: string, value: unknown][] {
  return Object.entries(options).flatMap(([name, value]): [string, unknown][] => {
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    const hasFields = isObject && Object.keys(value).length > 0
    return hasFields ? flattenOptions(value as Options, `${prefix}${name}.`) : [[`${prefix}${name}`, value]]
  })
}

export function describeOptions(schema: TSchema): OptionRow[] {
  return describeFields(schema, '')
}

function describeFields({ properties = {}, required }: OptionSchema, prefix: string): OptionRow[] {
  return Object.entries(properties).flatMap(([name, field]) => {
    const path = `${prefix}${name}`
    const isRequired = required?.includes(name) === true && field.default === undefined
    return [toRow(path, field, isRequired), ...describeWithin(field, path)]
  })
}

function describeWithin(schema: OptionSchema, path: string): OptionRow[] {
  if (schema.properties !== undefined) return describeFields(schema, `${path}.`)
  if (schema.items !== undefined) return describeWithin(schema.items, `${path}[]`)
  const [inner] = Object.values(schema.patternProperties ?? {})
  if (inner !== undefined) return describeWithin(inner, `${path}.*`)
  return (schema.anyOf ?? []).flatMap((alternative) => describeWithin(alternative, path))
}

function toRow(name: string, schema: OptionSchema, required: boolean): OptionRow {
  const { patternProperties = {}, items, default: standard } = schema
  const isEmptyObject = typeof standard === 'object' && Object.keys(standard as object).length === 0
  const values = [schema, ...Object.values(patternProperties), ...(items === undefined ? [] : [items])]
  return {
    name,
    type: describeType(schema),
    standard: standard === undefined || isEmptyObject ? undefined : JSON.stringify(standard),
    required,
    secret: schema.secret === true,
    address: schema.address === true,
    reference: values.flatMap(withAlternatives).some(canBeReference),
    description: schema.description ?? '',
  }
}

function describeType(schema: OptionSchema): string {
  if (schema.title !== undefined) return schema.title
  if (schema.enum !== undefined) return schema.enum.map((value) => JSON.stringify(value)).join(' or ')
  if (schema.const !== undefined) return JSON.stringify(schema.const)
  if (schema.anyOf !== undefined) return [...new Set(schema.anyOf.map(describeType))].join(' or ')
  if (schema.properties !== undefined) return 'object'
  const [inner] = Object.values(schema.patternProperties ?? {})
  if (inner !== undefined) return `object of ${describeType(inner)}`
  if (schema.items !== undefined) return `array of ${describeType(schema.items)}`
  if (schema.type === 'integer' || schema.type === 'number') {
    const limits = schema.maximum === undefined ? '' : ` ${schema.minimum ?? ''}–${schema.maximum}`
    return `${schema.type === 'integer' ? 'integer' : 'number'}${limits}`
  }
  if (schema.type === 'string')
    return schema.maxLength === undefined ? 'string' : `string of at most ${schema.maxLength} characters`
  return schema.type ?? 'any value'
}
